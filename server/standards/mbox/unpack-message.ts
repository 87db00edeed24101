/** Turns an entry of an mbox file into the bytes of the message and the flags that its program wrote. */
import { bodyStartOf, headerLinesOf, withCrlf } from '../message-lines.ts'
import { withShortHeader } from '../mime/short-header.ts'
import { flagsOf, type MboxFields, readMailboxFields } from './mbox-fields.ts'
import type { MboxEntry } from './read-mbox.ts'
import { separatorDate, separatorSender } from './separator.ts'

export type UnpackedMessage = Omit<MboxFields, 'folder'> & {
  /** With CRLF line ends. */
  raw: Buffer
  /** The folders that the file names, best match first. */
  folders: MboxFields['folder'][]
  /** Deleted in the program that wrote the file, but not yet removed. */
  isGone: boolean
  mailFrom: string
  /** null: not in the file. */
  date: Date | null
}

/** Returns null when the entry has no header, so it is not a message. */
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
  // A message without a header exists; an entry that we exported is always a message.
  if (ours === null && !header.some(({ name }) => /^[!-9;-~]+$/.test(name))) return null
  const flags = flagsOf(header)
  const arrived = sinceFirstMail(separatorDate(fromLine))
  const written = dateOf(header)
  return {
    raw,
    ...flags,
    ...(ours && { ...ours.fields, isGone: false, folders: [ours.fields.folder] }),
    mailFrom: separatorSender(fromLine),
    date: ours ? (arrived ?? written) : (written ?? arrived),
  }
}

/** Adds one byte per line when the three lines end in CRLF. */
const lengthInFile = (text: string, length: number): number =>
  text.startsWith('\r\n', text.indexOf('\n') - 1) ? length + 3 : length

/** Writers that give a Content-Length need not quote: an unquoted 'From ' line shows that nothing was quoted. */
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

/** Whether `at` is the first '>' of a quoted line. */
const isQuoted = (text: Buffer, at: number): boolean => {
  if (text[at] !== QUOTE || (at > 0 && text[at - 1] !== LF)) return false
  let from = at
  while (from < text.length && text[from] === QUOTE) from++
  return startsWith(text, from, 'From ')
}

/** Compares bytes without a copy: it runs for every line. */
const startsWith = (text: Buffer, at: number, word: string): boolean => {
  if (at + word.length > text.length) return false
  for (let n = 0; n < word.length; n++) if (text[at + n] !== word.charCodeAt(n)) return false
  return true
}

type Header = ReturnType<typeof headerLinesOf>

/** The arrival date in Received, otherwise Date; invalid dates are skipped. */
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
