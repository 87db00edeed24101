/** DATA: from the bytes to durable rows. It returns only when the message is safe; then the client reads 250. */
import type { App } from '#server/app.ts'
import { FORWARDED, forwardToRole } from '#server/features/messages/forward-to-role.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { withoutForgedResults } from '#server/standards/authentication-results.ts'
import type { HeaderLine } from '#server/standards/message-lines.ts'
import { traceHeaders } from '#server/standards/received-header.ts'
import type { AcceptedRecipient } from './accept-recipient.ts'
import { authenticateMessage, type Sender } from './authenticate-message.ts'
import { checkBytes, digestMessage } from './check-message.ts'
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
  const [digest, verdict] = await Promise.all([
    digestMessage(raw),
    authenticateMessage(app, raw, headers, envelope),
  ])
  const { mailFrom } = envelope
  const traced = Buffer.concat([
    Buffer.from(traceOf(app, envelope) + verdict.headers),
    withoutForgedResults(raw, app.config.mailHost, headers),
  ])
  const { authentication } = verdict
  const message = { raw: traced, mailFrom, authentication, digest }
  if (roles.length === 0) return receiveMessage(app, app.db, message, mailboxes)
  await app.db.transaction().execute(async (tx) => {
    await receiveMessage(app, tx, message, mailboxes)
    for (const role of onePerAddress(roles))
      await forwardToRole(app, tx, role, { raw: traced, subject: digest.subject })
  })
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
