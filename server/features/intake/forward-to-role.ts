/**
 * Mail for postmaster@ and abuse@ reaches people at their account e-mail: the Admins of the workspace, or for
 * MAIL_HOST OPERATOR_MAIL, otherwise the first user. The message goes as an attachment, from us: forwarding it under
 * its own sender would fail SPF and DMARC at the other end.
 */
import type { Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { firstUserEmail } from '#server/features/accounts/user-queries.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { systemKeyOf } from '#server/features/outbox/send-system-mail.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { newId } from '#server/lib/ids.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import { writeMessage } from '#server/standards/message-writer.ts'
import type { Db } from '#server/storage/database.ts'

/** RFC 3834 §5; also how we know our own forwards when one comes back. */
export const FORWARDED = 'auto-forwarded'

/** Empty when it has no readers. */
export const readersOfRole = async (app: App, workspaceId: string | null): Promise<string[]> => {
  const emails =
    workspaceId !== null ? await adminEmails(app.db, workspaceId) : await operatorEmails(app)
  // An account at a role address would forward to itself for ever.
  return emails.filter((email) => !/^(postmaster|abuse)(\+[^@]*)?@/.test(email))
}

const operatorEmails = async ({ config, db }: App): Promise<string[]> =>
  config.operatorMail === null ? firstUserEmail(db) : [config.operatorMail]

export const forwardToRole = async (
  app: App,
  db: Db,
  role: { address: string; workspaceId: string | null },
  message: { id?: string; raw: Buffer; subject: string; junk?: Junk },
): Promise<void> => {
  const recipients = await readersOfRole(app, role.workspaceId)
  if (recipients.length === 0) throw new Error(`nobody reads ${role.address}`)
  const now = app.clock.now()
  const { mailHost } = app.config
  const written = await writeMessage({
    from: { name: 'Mailstead', address: `postmaster@${mailHost}` },
    to: [{ name: '', address: role.address }],
    subject: `[${role.address}]${message.junk?.isJunk ? ' [Junk]' : ''} ${message.subject}`,
    messageId: `${newId()}@${mailHost}`,
    date: now,
    text: `This message was sent to ${role.address}. It is attached.\n${warningOf(message.junk)}`,
    attachments: [{ filename: 'message.eml', contentType: 'message/rfc822', content: message.raw }],
    headers: { 'Auto-Submitted': FORWARDED },
  })
  const key = await systemKeyOf(app, db)
  await enqueueMessage(app, db, {
    ...(message.id !== undefined && { id: message.id }),
    workspaceId: null,
    mailboxId: null,
    mailFrom: '',
    recipients,
    raw: dkimSign(written, key.domain, [key], now),
  })
}

/** Complaints quote junk, so these addresses refuse nothing: their readers get a warning in the message. */
const warningOf = (junk: Junk | undefined): string =>
  junk?.isJunk
    ? `\nIt looks like junk mail:\n${junk.reasons
        .filter(({ points }) => points > 0)
        .map(({ text }) => `- ${text}\n`)
        .join('')}`
    : ''
