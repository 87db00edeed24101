/**
 * A domain that publishes p=reject wants mail in its name refused that is not its own. Only a definite failure is; where
 * a check has no answer yet, the sender is asked to come again (decision 021).
 */
import type { Authentication } from '#contract/messages.ts'
import type { Verdict } from './sender/verdict.ts'
import { printable, SmtpRefusal } from './smtp-refusal.ts'

/** @throws SmtpRefusal */
export const refuseByPolicy = ({ dmarc, authentication, isAuthorClear }: Verdict): void => {
  if (!isAuthorClear)
    throw new SmtpRefusal(
      '550 5.7.1',
      'The From field must name senders of one domain, so that it can be verified who wrote this',
    )
  if (dmarc?.policy !== 'reject') return
  const { domain, policyDomain, outcome } = dmarc
  const policy = `${printable(domain)} asks by DMARC (p=reject at _dmarc.${printable(policyDomain)}) to refuse mail in its name that cannot be verified`
  if (outcome === 'fail')
    throw new SmtpRefusal('550 5.7.1', `${policy}, and this one is not: ${faults(authentication)}`)
  if (outcome === 'unclear')
    throw new SmtpRefusal(
      '451 4.7.0',
      `${policy}, and its records did not answer: please try again later`,
    )
}

const faults = ({ spf, dkim }: Authentication): string =>
  `SPF ${spf === 'pass' ? 'passes for another domain' : spf}, DKIM ${dkim === 'pass' ? 'passes for another domain' : dkim}`
