/**
 * The only writer of messages and their header fields (RFC 5322, MIME). The composer encodes and folds values; no code builds
 * header text by hand.
 */
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { oneLine } from '#server/lib/plain-text.ts'
import { piecesOf } from '../lib/files/pieces.ts'
import { withCrlf } from './message-lines.ts'
import { personName } from './mime/encoded-words.ts'

export type WrittenPerson = { name: string; address: string }

export type WrittenAttachment = {
  filename: string
  contentType: string
  content: Buffer
  /** Content-ID without brackets; makes the file a part of the HTML. */
  contentId?: string
}

export type MessageToWrite = {
  from: WrittenPerson
  /** An address. */
  replyTo?: string
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
  /** An iCalendar object, beside the text. */
  calendar?: { method: string; content: string }
  attachments?: readonly WrittenAttachment[]
  headers?: Record<string, string>
}

/** Some programs decode text that looks like an encoded word even inside quotes. */
const withPlainName = ({ name, address }: WrittenPerson): WrittenPerson => ({
  name: personName(name),
  address,
})

const BYTES_A_WORD = 45

/**
 * Encodes a subject that contains '=?': the composer leaves ASCII as it is, and the recipient's program would decode typed text
 * that looks like an encoded word.
 */
const withoutWords = (subject: string): string => {
  if (!subject.includes('=?')) return subject
  const words: string[] = []
  for (const letter of oneLine(subject, subject.length)) {
    const last = words.at(-1)
    if (last !== undefined && Buffer.byteLength(last + letter) <= BYTES_A_WORD)
      words[words.length - 1] = last + letter
    else words.push(letter)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

const PIECE_BYTES = 256 * 1024

/**
 * Large content is streamed in pieces: the composer would make one string of it. Except for messages, which the composer inspects
 * to choose their encoding.
 */
const contentOf = ({ content, contentType }: WrittenAttachment): Buffer | Readable =>
  content.length <= PIECE_BYTES || /^message\//i.test(contentType)
    ? content
    : Readable.from(piecesOf(content, PIECE_BYTES), { objectMode: false })

const calendarPart = ({ method, content }: { method: string; content: string }) => ({
  contentType: `text/calendar; charset=utf-8; method=${method}`,
  content,
})

/** Never writes Bcc: there is no field for it. Lines end in CRLF. */
export const writeMessage = async (message: MessageToWrite): Promise<Buffer> => {
  const composer = new MailComposer({
    from: withPlainName(message.from),
    ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
    to: (message.to ?? []).map(withPlainName),
    cc: (message.cc ?? []).map(withPlainName),
    subject: withoutWords(message.subject),
    messageId: `<${message.messageId}>`,
    inReplyTo: message.inReplyTo === undefined ? undefined : `<${message.inReplyTo}>`,
    references: message.references?.map((id) => `<${id}>`),
    date: message.date,
    text: message.text,
    html: message.html,
    ...(message.calendar && { alternatives: [calendarPart(message.calendar)] }),
    attachments: message.attachments?.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      content: contentOf(attachment),
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
