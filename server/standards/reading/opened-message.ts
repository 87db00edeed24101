/** What a reader sees of one message, taken from all of its bytes. */
import type { Attachment, Email } from 'postal-mime'
import { textOfHtml } from '../html-text.ts'
import { peopleOf } from '../message-digest.ts'
import { parseMessage, unreadableEmail } from '../message-text.ts'
import { oneLine } from '../mime/encoded-words.ts'
import type { ReadEmail } from '../mime/mail-parser.ts'
import { partName } from './part-name.ts'

export type OpenedMessage = {
  replyTo: { name: string; address: string }[]
  text: string
  html: string | null
  /** Its parts cannot be told apart: `text` is what came. */
  isSource: boolean
  attachments: {
    n: number
    filename: string
    contentType: string
    /** Bytes. */
    size: number
    contentId: string | null
  }[]
  headers: { name: string; value: string }[]
}

export type OpenedAttachment = { filename: string; contentType: string; content: Uint8Array }

const MAX_HEADERS = 500
/** Nobody reads more, and a message of nothing but boundaries has millions. */
const MAX_ATTACHMENTS = 1_000

/** A message whose structure cannot be read is shown as its source. */
export const openMessage = async (raw: Uint8Array): Promise<OpenedMessage> => {
  const email = await readEmail(raw)
  if (email === unreadableEmail) return sourceOf(raw)
  return {
    replyTo: peopleOf(email.replyTo),
    text: email.text ?? textOfHtml(email.html ?? ''),
    html: email.html ?? null,
    isSource: email.isSource ?? false,
    attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map((attachment, n) => ({
      n,
      filename: filenameOf(email, n),
      contentType: attachment.mimeType,
      size: bytesOf(attachment).length,
      contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
    })),
    headers: email.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
  }
}

export const openAttachment = async (
  raw: Uint8Array,
  n: number,
): Promise<OpenedAttachment | null> => {
  const email = await readEmail(raw)
  const attachment = email.attachments[n]
  if (attachment === undefined) return null
  return {
    filename: filenameOf(email, n),
    contentType: attachment.mimeType,
    // A copy: the part is a view of all of the message, which would go along to the other thread.
    content: bytesOf(attachment).slice(),
  }
}

export const sourceOf = (raw: Uint8Array): OpenedMessage => ({
  ...{ replyTo: [], html: null, isSource: true, attachments: [], headers: [] },
  text: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8'),
})

const readEmail = async (raw: Uint8Array): Promise<ReadEmail> => {
  const email = await parseMessage(raw)
  return email === null || email === 'too-deep' ? unreadableEmail : email
}

const bytesOf = ({ content }: Attachment): Uint8Array => {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

/** One line, no folders, never empty. */
const filenameOf = ({ attachments }: Email, n: number): string => {
  const plain = oneLine(
    (attachments[n]?.filename ?? '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
      .replace(/[\u0000-\u001f\u007f-\u009f\p{Bidi_Control}\u2028\u2029/\\]+/gu, '_')
      .slice(-200),
    200,
  )
  if (plain !== '' && !/^\.+$/.test(plain)) return plain
  return partName(
    attachments.map(({ mimeType }) => mimeType),
    n,
  )
}
