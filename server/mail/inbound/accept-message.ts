/** DATA: stores the message. Returns only when it is durable; then the client gets 250. */
import type { Authentication } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { keepSurely } from '#server/features/intake/keep-surely.ts'
import { refusalOfMessage, takeMessage } from '#server/features/intake/take-message.ts'
import type { TakenRecipient } from '#server/features/intake/take-recipient.ts'
import { isPublicAddress } from '#server/lib/network-guard.ts'
import { within } from '#server/lib/wait.ts'
import { withoutForgedResults } from '#server/standards/authentication-results.ts'
import type { WrittenStructure } from '#server/standards/imap-texts/write-structure.ts'
import type { MailFacts } from '#server/standards/junk/junk-rule.ts'
import { headerFactsOf } from '#server/standards/junk/mail-facts.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { traceHeaders } from '#server/standards/message-headers.ts'
import type { HeaderLine } from '#server/standards/message-lines.ts'
import { readStructureToStore } from '#server/standards/reading/read-message.ts'
import { isSameAddress, reverseNameOf } from '#server/standards/reverse-name.ts'
import { checkBytes, refuseTooDeep } from './check-message.ts'
import { allowanceOf, refuseSender } from './listed-senders.ts'
import { readMail } from './reading/read-mail.ts'
import { answerCache } from './sender/answer-cache.ts'
import type { Sender, Verdict } from './sender/verdict.ts'
import { inReply, refusedWith, SmtpRefusal } from './smtp-refusal.ts'

export type Envelope = Sender & {
  id: string
  protocol: string
  recipients: readonly TakenRecipient[]
  /** The recipient as given; null unless there is exactly one. */
  onlyRecipient: string | null
}

/** @throws SmtpRefusal, and every error of blob store and database */
export const acceptMessage = async (app: App, raw: Buffer, envelope: Envelope): Promise<void> => {
  const headers = checkBytes(raw)
  const refusal = refusalOfMessage(headers, envelope.recipients)
  if (refusal !== null) throw refusedWith(refusal)
  const { mailFrom, helo, ip } = envelope
  const [read, hasName] = await Promise.all([
    readMail(app, raw, { mailFrom, helo, ip }),
    hasReverseName(app, ip),
  ])
  const digest = refuseTooDeep(read.digest)
  const { verdict } = read
  refuseByPolicy(verdict)
  const author = digest.from?.address ?? ''
  // postmaster@ and abuse@ refuse no author, where they are the only ones.
  if (envelope.recipients.some(({ kind }) => kind === 'mailbox')) await refuseSender(app, author)
  const allowedAs = await allowanceOf(app, envelope, verdict, author)
  const { mailHost } = app.config
  const from = { envelope, hasReverseName: hasName, mailHost, allowedAs, at: app.clock.now() }
  const facts = mailFactsOf(verdict, headers, digest, from)
  const traced = Buffer.concat([
    Buffer.from(traceOf(app, envelope) + verdict.headers),
    withoutForgedResults(raw, mailHost, headers),
  ])
  const { authentication } = verdict
  const stored = { ...digest, ...(await structureOf(traced, envelope)) }
  const message = { raw: traced, mailFrom, authentication, digest: stored, facts }
  await keepSurely(app, await takeMessage(app, message, envelope.recipients))
}

/** Of the bytes that are stored: our fields come first in them. Without it, it is read when it is asked for. */
const structureOf = async (
  traced: Buffer,
  { recipients }: Envelope,
): Promise<{ structure?: WrittenStructure }> => {
  const by = recipients[0]?.workspaceId ?? ''
  const structure = await readStructureToStore(Buffer.from(traced), by)
  return structure === null ? {} : { structure }
}

const MAX_NAMES = 3
const TIME_CAP_MS = 4_000
const isNowhere = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOTFOUND' || error.code === 'ENODATA')

/**
 * Whether an address has a reverse name that resolves back to it. Mail servers have one; home routers rarely do.
 * null: a private address, or DNS did not answer.
 */
export const hasReverseName = (app: App, ip: string): Promise<boolean | null> =>
  isPublicAddress(ip)
    ? within(Date.now() + TIME_CAP_MS, lookUp(app, ip), null)
    : Promise.resolve(null)

const lookUp = async (app: App, ip: string): Promise<boolean | null> => {
  const isV6 = ip.includes(':')
  const resolve = answerCache(app)
  try {
    const names = await resolve(reverseNameOf(ip), 'PTR')
    for (const host of names.slice(0, MAX_NAMES)) {
      const addresses = await resolve(host, isV6 ? 'AAAA' : 'A').catch(none)
      if (addresses.some((address) => isSameAddress(address, ip))) return true
    }
    return false
  } catch (error) {
    return isNowhere(error) ? false : null
  }
}

const none = (error: unknown): string[] => {
  if (isNowhere(error)) return []
  throw error
}

/**
 * Refuses mail that fails DMARC with p=reject. A definite failure is refused with 550; while a check has no answer, the sender
 * gets a temporary error and retries (decision 021).
 * @throws SmtpRefusal
 */
export const refuseByPolicy = ({ dmarc, authentication, isAuthorClear }: Verdict): void => {
  if (!isAuthorClear)
    throw new SmtpRefusal(
      '550 5.7.1',
      'The From field must name senders of one domain, so that it can be verified who wrote this',
    )
  if (dmarc?.policy !== 'reject') return
  const { domain, policyDomain, outcome } = dmarc
  const policy = `${inReply(domain)} asks by DMARC (p=reject at _dmarc.${inReply(policyDomain)}) to refuse mail in its name that cannot be verified`
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

type Reception = {
  envelope: Sender
  hasReverseName: boolean | null
  mailHost: string
  allowedAs: string | null
  at: Date
}

/** The facts for the junk rules, from the SMTP dialogue, the checks and the message. */
export const mailFactsOf = (
  { authentication, dmarc }: Verdict,
  headers: readonly HeaderLine[],
  { from, subject, content }: MessageDigest,
  { envelope, hasReverseName, mailHost, allowedAs, at }: Reception,
): MailFacts => {
  const { mailFrom, helo, ip } = envelope
  // A forwarder vouched for the sender, so our own failed checks do not count.
  const isVouched = dmarc?.outcome === 'vouched'
  return {
    checks: isVouched ? { spf: 'none', dkim: 'none', dmarc: 'pass' } : authentication,
    isQuarantined: dmarc?.policy === 'quarantine' && dmarc.outcome === 'fail',
    mailFrom,
    from,
    subject,
    header: headerFactsOf(headers),
    content,
    client: { helo, ip, hasReverseName },
    mailHost,
    allowedAs,
    at,
  }
}

const traceOf = (app: App, envelope: Envelope): string =>
  traceHeaders({
    mailFrom: envelope.mailFrom,
    client: { helo: envelope.helo, ip: envelope.ip },
    mailHost: app.config.mailHost,
    protocol: envelope.protocol,
    id: envelope.id,
    recipient: envelope.onlyRecipient,
    at: app.clock.now(),
  })
