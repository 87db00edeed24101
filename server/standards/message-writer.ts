/**
 * The one writer of messages and their headers (RFC 5322, MIME). Values are encoded and folded by the
 * composer; nothing here or elsewhere joins header text by hand.
 */
import MailComposer from 'nodemailer/lib/mail-composer'
import { withCrlf } from './message-lines.ts'

export type WrittenPerson = { name: string; address: string }

export type WrittenAttachment = {
  filename: string
  contentType: string
  content: Buffer
  /** Content-ID without brackets; makes it a part of the HTML. */
  contentId?: string
}

export type MessageToWrite = {
  from: WrittenPerson
  to?: readonly WrittenPerson[]
  cc?: readonly WrittenPerson[]
  subject: string
  /** Without brackets. */
  messageId: string
  /** Without brackets. */
  inReplyTo?: string
  references?: readonly string[]
  date: Date
  text: string
  html?: string
  attachments?: readonly WrittenAttachment[]
  headers?: Record<string, string>
}

/** Never writes Bcc: there is no field for it. Lines end in CRLF. */
export const writeMessage = async (message: MessageToWrite): Promise<Buffer> => {
  const composer = new MailComposer({
    from: message.from,
    to: [...(message.to ?? [])],
    cc: [...(message.cc ?? [])],
    subject: message.subject,
    messageId: `<${message.messageId}>`,
    inReplyTo: message.inReplyTo === undefined ? undefined : `<${message.inReplyTo}>`,
    references: message.references?.map((id) => `<${id}>`),
    date: message.date,
    text: message.text,
    html: message.html,
    attachments: message.attachments?.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      content: attachment.content,
      cid: attachment.contentId,
      contentDisposition: attachment.contentId === undefined ? 'attachment' : 'inline',
    })),
    headers: message.headers,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return withCrlf(await composer.compile().build())
}
