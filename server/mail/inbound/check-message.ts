/** The rules that every message must satisfy. */
import type { MessageDigest } from '#server/standards/message-digest.ts'
import {
  bodyStartOf,
  type HeaderLine,
  headerLinesOf,
  type LineFault,
  lineFaultIn,
} from '#server/standards/message-lines.ts'
import { MAX_MIME_DEPTH } from '#server/standards/message-text.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

const MAX_HOPS = 50
/** Far above the 1,000 of RFC 5321: some senders exceed that, and long lines do no harm here. */
const MAX_LINE_BYTES = 100_000
const MAX_HEADER_BYTES = 256_000
/** A parser of author fields may take quadratic time. */
const MAX_AUTHOR_BYTES = 16_000
const HEADER_END = Buffer.from('\r\n\r\n')
const SPACE = 0x20
const TAB = 0x09

/** Programs disagree whether a bare CR or LF ends a message: that allows SMTP smuggling. */
const faults: Record<LineFault, string> = {
  'bare-cr': 'A CR without LF is not allowed in a message',
  'bare-lf': 'An LF without CR is not allowed in a message',
  nul: 'NUL is not allowed in a message',
  'long-line': `A line may have ${MAX_LINE_BYTES} bytes at most`,
}

/** Checks the header of one message as it arrives: returns true from the piece that makes it too long. */
export const headerGauge = (): ((piece: Buffer) => boolean) => {
  // Starts as after a line end: a message may begin with the empty line.
  let tail = HEADER_END.subarray(0, 2)
  let start = -tail.length
  let isOver = false
  return (piece) => {
    if (isOver) return false
    const joined = Buffer.concat([tail, piece])
    const at = joined.indexOf(HEADER_END)
    isOver = at !== -1
    const seen = start + (isOver ? at + HEADER_END.length : joined.length)
    tail = Buffer.from(joined.subarray(1 - HEADER_END.length))
    start += joined.length - tail.length
    return seen > MAX_HEADER_BYTES
  }
}

/** The refusal of a message whose header is too long: wrong line ends also make a header endless. */
export const refusalOfHeader = (start: Buffer): SmtpRefusal => {
  const lines = start.subarray(0, start.lastIndexOf('\n') + 1)
  const fault = lineFaultIn(lines, MAX_LINE_BYTES)
  return fault === null ? tooLongHeader : new SmtpRefusal('554 5.6.0', faults[fault])
}

const tooLongHeader = new SmtpRefusal(
  '554 5.6.0',
  `The header may have ${MAX_HEADER_BYTES} bytes at most`,
)

/** @throws SmtpRefusal */
export const checkBytes = (raw: Buffer): HeaderLine[] => {
  const fault = lineFaultIn(raw, MAX_LINE_BYTES)
  if (fault !== null) throw new SmtpRefusal('554 5.6.0', faults[fault])
  if (bodyStartOf(raw) > MAX_HEADER_BYTES) throw tooLongHeader
  // A leading space would fold the line into our Authentication-Results field.
  if (raw[0] === SPACE || raw[0] === TAB)
    throw new SmtpRefusal('554 5.6.0', 'A message may not begin with a space')
  const headers = headerLinesOf(raw)
  const hops = headers.filter(({ name }) => name === 'received').length
  if (hops > MAX_HOPS) throw new SmtpRefusal('554 5.4.6', 'Too many hops: this mail goes in a loop')
  if (headers.some(({ name, line }) => authors.has(name) && line.length > MAX_AUTHOR_BYTES))
    throw new SmtpRefusal('554 5.6.0', `From may have ${MAX_AUTHOR_BYTES} bytes at most`)
  return headers
}

const authors = new Set(['from', 'sender', 'reply-to'])

/** A structure that cannot be parsed is stored; one that nests too deep is refused. @throws SmtpRefusal */
export const refuseTooDeep = (digest: MessageDigest | 'too-deep'): MessageDigest => {
  if (digest === 'too-deep')
    throw new SmtpRefusal('554 5.6.0', `Parts may nest ${MAX_MIME_DEPTH} levels deep`)
  return digest
}
