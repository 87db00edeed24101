/** The content of one message as its reader sees it, parsed from all of its bytes. */
import type { Attachment, Email } from 'postal-mime'
import { oneLine } from '#server/lib/plain-text.ts'
import { textOfHtml } from '../html-text.ts'
import { peopleOf } from '../message-digest.ts'
import { parseMessage, unreadableEmail } from '../message-text.ts'
import type { ReadEmail } from '../mime/mail-parser.ts'
import { zipOf } from '../zip-file.ts'
import { pictureSizeOf } from './picture-size.ts'

export type OpenedMessage = {
  replyTo: { name: string; address: string }[]
  text: string
  html: string | null
  /** true: the parts cannot be parsed; `text` is the raw source. */
  isSource: boolean
  attachments: {
    n: number
    filename: string
    contentType: string
    /** Bytes. */
    size: number
    contentId: string | null
    /** Of a picture that the HTML may show. */
    width: number | null
    height: number | null
  }[]
  headers: { name: string; value: string }[]
}

export type OpenedAttachment = { filename: string; contentType: string; content: Uint8Array }

const MAX_HEADERS = 500
/** More than a reader needs; a hostile message has millions of empty parts. */
const MAX_ATTACHMENTS = 1_000

/** More pictures than any letter shows. */
const MAX_SIZED = 100
const unsized = { width: null, height: null }

const sidesOf = (attachment: Attachment) => pictureSizeOf(bytesOf(attachment)) ?? unsized

/** A message that cannot be parsed is shown as its source. */
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
      ...(n < MAX_SIZED && attachment.contentId ? sidesOf(attachment) : unsized),
    })),
    headers: email.headers
      .slice(0, MAX_HEADERS)
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
  }
}

/** Those at these positions, in this order; null when one of them is not there. */
export const openAttachments = async (
  raw: Uint8Array,
  positions: readonly number[],
): Promise<OpenedAttachment[] | null> => {
  const email = await readEmail(raw)
  const opened: OpenedAttachment[] = []
  for (const n of positions) {
    const attachment = email.attachments[n]
    if (attachment === undefined) return null
    opened.push({
      filename: filenameOf(email, n),
      contentType: attachment.mimeType,
      // A copy: the part is a view of the whole message, whose buffer would be transferred to the other thread.
      content: bytesOf(attachment).slice(),
    })
  }
  return opened
}

/** All attachments in one archive; null when there are none. */
export const zipAttachments = async (raw: Uint8Array): Promise<Uint8Array | null> => {
  const email = await readEmail(raw)
  const files = email.attachments.slice(0, MAX_ATTACHMENTS)
  if (files.length === 0) return null
  return new Uint8Array(
    zipOf(files.map((file, n) => ({ name: filenameOf(email, n), content: bytesOf(file) }))),
  )
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

/** One line, without folder names, never empty. */
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

const byType: Record<string, string> = {
  'message/delivery-status': 'delivery-report.txt',
  'message/global-delivery-status': 'delivery-report.txt',
  'message/disposition-notification': 'read-receipt.txt',
  'message/feedback-report': 'complaint-report.txt',
  'message/rfc822': 'message.eml',
  'message/global': 'message.eml',
  'text/rfc822-headers': 'headers-of-message.txt',
  'text/calendar': 'invitation.ics',
  'text/vcard': 'contact.vcf',
  'application/pgp-signature': 'signature.asc',
  'application/pgp-encrypted': 'encrypted.asc',
  'application/pkcs7-signature': 'signature.p7s',
  'application/x-pkcs7-signature': 'signature.p7s',
}
const namesInReports: Record<string, string> = {
  'message/rfc822': 'original-message.eml',
  'message/global': 'original-message.eml',
  'text/rfc822-headers': 'headers-of-original-message.txt',
}
const extensions: Record<string, string> = {
  ...{ 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' },
  ...{ 'application/pdf': 'pdf', 'application/zip': 'zip', 'text/plain': 'txt', 'text/csv': 'csv' },
}

const reportTypes = new Set([
  ...['message/delivery-status', 'message/global-delivery-status'],
  ...['message/disposition-notification', 'message/feedback-report'],
])

/**
 * The file name of a part whose sender gave it none.
 * `types`: the types of all parts; `n`: the index of this part.
 */
export const partName = (types: readonly string[], n: number): string => {
  const type = types[n]?.toLowerCase() ?? ''
  const isReport = types.some((each) => reportTypes.has(each.toLowerCase()))
  const known = (isReport ? namesInReports[type] : undefined) ?? byType[type]
  if (known !== undefined) return known
  const extension = extensions[type]
  return `attachment-${n + 1}${extension ? `.${extension}` : ''}`
}
