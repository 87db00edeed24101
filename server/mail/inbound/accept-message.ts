/** DATA: from the bytes to durable rows. It returns only when the message is safe; then the client reads 250. */
import type { Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { FORWARDED, forwardToRole } from '#server/features/intake/forward-to-role.ts'
import { messageScorer, type Recipient, scoreForRole } from '#server/features/junk/junk-filter.ts'
import { type LocalMailbox, receiveMessage } from '#server/features/messages/receive-message.ts'
import { withoutForgedResults } from '#server/standards/authentication-results.ts'
import type { MailFacts } from '#server/standards/junk/junk-rule.ts'
import { headerFactsOf } from '#server/standards/junk/mail-facts.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import { traceHeaders } from '#server/standards/message-headers.ts'
import type { HeaderLine } from '#server/standards/message-lines.ts'
import type { AcceptedRecipient } from './accept-recipient.ts'
import { checkBytes, refuseTooDeep } from './check-message.ts'
import { readMail } from './reading/read-mail.ts'
import { refuseByPolicy } from './refuse-by-policy.ts'
import { hasReverseName } from './sender/reverse-name.ts'
import type { Sender, Verdict } from './sender/verdict.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

export type Envelope = Sender & {
  id: string
  protocol: string
  recipients: readonly AcceptedRecipient[]
  /** The recipient as given, when there is exactly one. */
  onlyRecipient: string | null
}

type MailboxRecipient = Extract<AcceptedRecipient, { kind: 'mailbox' }>
type RoleRecipient = Extract<AcceptedRecipient, { kind: 'role' }>

/** @throws SmtpRefusal, or what storage and database throw. */
export const acceptMessage = async (app: App, raw: Buffer, envelope: Envelope): Promise<void> => {
  const headers = checkBytes(raw)
  const mailboxes = envelope.recipients.filter((r): r is MailboxRecipient => r.kind === 'mailbox')
  const roles = envelope.recipients.filter((r): r is RoleRecipient => r.kind === 'role')
  if (roles.length > 0 && isForwarded(headers))
    throw new SmtpRefusal('554 5.4.6', 'A forwarded message is not forwarded again')
  const { mailFrom, helo, ip } = envelope
  const [read, hasName] = await Promise.all([
    readMail(app, raw, { mailFrom, helo, ip }),
    hasReverseName(app, ip),
  ])
  const digest = refuseTooDeep(read.digest)
  const { verdict } = read
  refuseByPolicy(verdict)
  const { mailHost } = app.config
  const from = { envelope, hasReverseName: hasName, mailHost, at: app.clock.now() }
  const facts = mailFactsOf(verdict, headers, digest, from)
  const scored = await scoreForEach(messageScorer(app, facts, digest), mailboxes)
  const traced = Buffer.concat([
    Buffer.from(traceOf(app, envelope) + verdict.headers),
    withoutForgedResults(raw, mailHost, headers),
  ])
  const { authentication } = verdict
  const message = { raw: traced, mailFrom, authentication, digest }
  if (roles.length === 0) return receiveMessage(app, app.db, message, scored)
  await app.db.transaction().execute(async (tx) => {
    await receiveMessage(app, tx, message, scored)
    for (const role of onePerAddress(roles))
      await forwardToRole(app, tx, role, {
        ...{ raw: traced, subject: digest.subject, junk: scoreForRole(facts, role.address) },
      })
  })
}

type Reception = {
  envelope: Sender
  hasReverseName: boolean | null
  mailHost: string
  at: Date
}

/** What the junk rules look at, gathered from the dialogue, the checks and the message. */
export const mailFactsOf = (
  { authentication, dmarc }: Verdict,
  headers: readonly HeaderLine[],
  { from, subject, content }: MessageDigest,
  { envelope, hasReverseName, mailHost, at }: Reception,
): MailFacts => {
  const { mailFrom, helo, ip } = envelope
  // Who is vouched for did not fail, whatever we can see.
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
    at,
  }
}

/** Once for each mailbox, one after the other: a hundred recipients must not take all connections to the database. */
const scoreForEach = async (
  score: (recipient: Recipient) => Promise<Junk>,
  mailboxes: readonly Recipient[],
): Promise<LocalMailbox[]> => {
  const scored = new Map<string, LocalMailbox>()
  for (const mailbox of mailboxes) {
    const { mailboxId, workspaceId } = mailbox
    if (scored.has(mailboxId)) continue
    scored.set(mailboxId, { mailboxId, workspaceId, junk: await score(mailbox) })
  }
  return [...scored.values()]
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

const isForwarded = (headers: readonly HeaderLine[]): boolean =>
  headers.some(
    ({ name, line }) => name === 'auto-submitted' && line.toLowerCase().includes(FORWARDED),
  )

const onePerAddress = (roles: RoleRecipient[]): RoleRecipient[] => [
  ...new Map(roles.map((role) => [role.address.toLowerCase(), role])).values(),
]
