/** What DMARC (RFC 9989) says of a message, for whoever must decide: mailauth's answer, and what it leaves open. */
import type { AuthenticateResult, DMARCResult } from 'mailauth'
import { trustedSealer } from './trusted-sealers.ts'

export type DmarcVerdict = {
  /** Of From. */
  domain: string
  /** Where the policy is published; a parent, perhaps. */
  policyDomain: string
  /** What is asked for mail that fails. With t=y nothing is: the domain only tries it out. */
  policy: 'none' | 'quarantine' | 'reject'
  /**
   * `unclear`: a look-up of this domain's own that could have let it pass had no answer. `vouched`: it failed here, and a
   * forwarder that we trust says it passed there.
   */
  outcome: 'pass' | 'fail' | 'unclear' | 'vouched'
}

/** null when From names no domain, the domain publishes nothing, or that could not be learnt. */
export const dmarcVerdictOf = (result: AuthenticateResult): DmarcVerdict | null => {
  const { dmarc } = result
  if (dmarc === false || dmarc.policyDomain === undefined) return null
  const outcome = outcomeOf(result, dmarc)
  return outcome === null ? null : verdictFrom(dmarc, outcome)
}

export const verdictFrom = (
  dmarc: DMARCResult,
  outcome: DmarcVerdict['outcome'],
): DmarcVerdict => ({
  domain: dmarc.status.header?.from ?? dmarc.domain,
  policyDomain: dmarc.policyDomain ?? dmarc.domain,
  policy: dmarc.testMode ? 'none' : policyOf(dmarc.policy),
  outcome,
})

const policyOf = (text: string): DmarcVerdict['policy'] =>
  text === 'reject' || text === 'quarantine' ? text : 'none'

const outcomeOf = (
  result: AuthenticateResult,
  dmarc: DMARCResult,
): DmarcVerdict['outcome'] | null => {
  switch (dmarc.status.result) {
    case 'pass':
      return 'pass'
    case 'temperror':
      return 'unclear'
    case 'fail':
      if (hasUnclearCheck(result, dmarc)) return 'unclear'
      return trustedSealer(result, dmarc.status.header?.from ?? '') === null ? 'fail' : 'vouched'
    default:
      return null
  }
}

/** RFC 9989 §5.3: with a temporary error of a check that could have passed the policy cannot be applied. */
const hasUnclearCheck = ({ spf, dkim }: AuthenticateResult, { domain }: DMARCResult): boolean => {
  const isOwn = (name: string | undefined): boolean =>
    name !== undefined &&
    (name.toLowerCase() === domain || name.toLowerCase().endsWith(`.${domain}`))
  return (
    (spf && spf.status.result === 'temperror' && isOwn(spf.domain)) ||
    dkim.results.some(
      ({ status, signingDomain }) => status.result === 'temperror' && isOwn(signingDomain),
    )
  )
}
