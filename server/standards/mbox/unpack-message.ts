/** From what stands in an mbox file to the bytes of the message and what its programs noted about it. */
import { bodyStartOf, headerLinesOf, withCrlf } from '../message-lines.ts'
import { withShortHeader } from '../mime/short-header.ts'
import { flagsOf, type MboxFields, readMailboxFields } from './mbox-fields.ts'
import type { MboxEntry } from './read-mbox.ts'
import { separatorDate, separatorSender } from './separator.ts'

export type UnpackedMessage = Omit<MboxFields, 'folder'> & {
  /** Lines end in CRLF. */
  raw: Buffer
  /** Where the file says that it belongs, the best first. */
  folders: MboxFields['folder'][]
  /** Its program had deleted it and not yet cleaned up. */
  isGone: boolean
  mailFrom: string
  /** null: the file does not say. */
  date: Date | null
}

/** null: it has no header, so it is no message. */
export const unpackMessage = ({
  fromLine,
  content,
  isCounted,
}: MboxEntry): UnpackedMessage | null => {
  const all = content ?? Buffer.alloc(0)
  const start = all.toString('latin1', 0, 4_096)
  const ours = readMailboxFields(start.replaceAll('\r\n', '\n'))
  const own = ours === null ? all : all.subarray(lengthInFile(start, ours.length))
  const raw = withCrlf(unquoted(own, isCounted))
  const header = headerLinesOf(withShortHeader(raw))
  // Mail without a header exists: what we wrote was a message here.
  if (ours === null && !header.some(({ name }) => /^[!-9;-~]+$/.test(name))) return null
  const noted = flagsOf(header)
  const arrived = sinceFirstMail(separatorDate(fromLine))
  const written = dateOf(header)
  return {
    raw,
    ...noted,
    ...(ours && { ...ours.fields, isGone: false, folders: [ours.fields.folder] }),
    mailFrom: separatorSender(fromLine),
    date: ours ? (arrived ?? written) : (written ?? arrived),
  }
}

/** Three lines, which may end in CRLF. */
const lengthInFile = (text: string, length: number): number =>
  text.startsWith('\r\n', text.indexOf('\n') - 1) ? length + 3 : length

/** Whoever counts need not quote: a bare line of this kind says that nothing was quoted. */
const unquoted = (text: Buffer, isCounted: boolean): Buffer => {
  if (!text.includes('>From ')) return text
  if (isCounted && (text.includes('\nFrom ') || startsWith(text, 0, 'From '))) return text
  const plain = Buffer.allocUnsafe(text.length)
  let end = 0
  for (let at = 0; at < text.length; at++)
    if (!isQuoted(text, at)) plain[end++] = text[at] as number
  return plain.subarray(0, end)
}

const LF = 0x0a
const QUOTE = 0x3e

/** The first sign of a line that was quoted. */
const isQuoted = (text: Buffer, at: number): boolean => {
  if (text[at] !== QUOTE || (at > 0 && text[at - 1] !== LF)) return false
  let from = at
  while (from < text.length && text[from] === QUOTE) from++
  return startsWith(text, from, 'From ')
}

/** Byte by byte, since it is asked of every line. */
const startsWith = (text: Buffer, at: number, word: string): boolean => {
  if (at + word.length > text.length) return false
  for (let n = 0; n < word.length; n++) if (text[at + n] !== word.charCodeAt(n)) return false
  return true
}

type Header = ReturnType<typeof headerLinesOf>

/** When it came, or else when it says it was written; broken ones are passed over. */
const dateOf = (header: Header): Date | null => {
  const received = header.find(({ name }) => name === 'received')?.line ?? ''
  const date = header.find(({ name }) => name === 'date')?.line ?? ''
  return (
    readDate(received.slice(received.lastIndexOf(';') + 1)) ??
    readDate(date.slice(date.indexOf(':') + 1))
  )
}

const FIRST_MAIL = Date.UTC(1971, 0, 1)

const readDate = (text: string): Date | null => {
  const plain = text
    .slice(0, 500)
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (!/\d/.test(plain)) return null
  return sinceFirstMail(new Date(plain))
}

const sinceFirstMail = (date: Date | null): Date | null =>
  date !== null && date.getTime() >= FIRST_MAIL ? date : null

export const isMessageStart = (start: Buffer): boolean => {
  const text = start.toString('latin1').replace(/^(?:\r?\n)+/, '')
  return text.startsWith('From ') || /^[!-9;-~]{1,100}:/.test(text)
}

export const subjectIn = (raw: Buffer): string => {
  const line = headerLinesOf(raw.subarray(0, Math.min(bodyStartOf(raw), 64_000))).find(
    ({ name }) => name === 'subject',
  )?.line
  return (line ?? '')
    .slice(8, 200)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
}
