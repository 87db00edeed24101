/** Opening one message. Marks nothing: that it was read is said by changeMessage. */
import type { Attachment, Email } from 'postal-mime'
import { AppError } from '#contract/errors.ts'
import type { Message } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { peopleOf } from '#server/standards/message-digest.ts'
import { parseMessage, textOfHtml, unreadableEmail } from '#server/standards/message-text.ts'
import { openMailbox } from '../mailbox-access.ts'
import { findMessage } from '../messages-store.ts'
import { folderName, toSummary } from './to-summary.ts'

const MAX_HEADERS = 500

export const getMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Message> => {
  const row = await openMessage(app, who, mailboxId, messageId)
  const raw = await app.blobs.get(row.blob)
  const email = await readEmail(raw)
  return {
    ...toSummary(row),
    folder: folderName({ id: row.folderId, role: row.folderRole }),
    cc: row.cc,
    bcc: row.bcc,
    replyTo: peopleOf(email.replyTo),
    messageId: row.messageId,
    inReplyTo: row.inReplyTo,
    text: textOf(email, raw),
    html: email.html ?? null,
    attachments: email.attachments.map((attachment, n) => ({
      n,
      filename: filenameOf(attachment, n),
      contentType: attachment.mimeType,
      size: bytesOf(attachment).length,
      contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
    })),
    headers: email.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
    authentication: row.authentication,
  }
}

/** The message as it is stored, byte for byte. */
export const getRawMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Buffer> => app.blobs.get((await openMessage(app, who, mailboxId, messageId)).blob)

export const getAttachment = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
  n: number,
): Promise<{ filename: string; contentType: string; content: Buffer }> => {
  const { blob } = await openMessage(app, who, mailboxId, messageId)
  const attachment = (await readEmail(await app.blobs.get(blob))).attachments[n]
  if (attachment === undefined) throw new AppError('NOT_EXISTS')
  return {
    filename: filenameOf(attachment, n),
    contentType: attachment.mimeType,
    content: bytesOf(attachment),
  }
}

const openMessage = async (app: App, who: Who, mailboxId: string, messageId: string) => {
  await openMailbox(app, who, mailboxId)
  const row = isId(messageId)
    ? await findMessage(app.db, { workspaceId: who.workspaceId, mailboxId, messageId })
    : undefined
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return row
}

const readEmail = async (raw: Buffer): Promise<Email> => {
  const email = await parseMessage(raw)
  return email === null || email === 'too-deep' ? unreadableEmail : email
}

/** Of a message whose structure cannot be read, its source. */
const textOf = (email: Email, raw: Buffer): string =>
  email === unreadableEmail ? raw.toString('utf8') : (email.text ?? textOfHtml(email.html ?? ''))

const bytesOf = ({ content }: Attachment): Buffer => {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(content)
}

/** One line, no folders, never empty. */
const filenameOf = ({ filename }: Attachment, n: number): string => {
  const plain = (filename ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]+/g, '_')
    .toWellFormed()
    .slice(-200)
    .trim()
  return plain === '' || /^\.+$/.test(plain) ? `attachment-${n + 1}` : plain
}
