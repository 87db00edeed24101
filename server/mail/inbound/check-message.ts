/** What every message must be, whoever sends it. */
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
/** Far above RFC 5321's 1,000: careless senders exist, and long lines harm nobody here. */
const MAX_LINE_BYTES = 100_000
const MAX_HEADER_BYTES = 256_000
/** Whoever reads who wrote it may take the square of its length. */
const MAX_AUTHOR_BYTES = 16_000
const HEADER_END = Buffer.from('\r\n\r\n')
const SPACE = 0x20
const TAB = 0x09

/** A bare CR or LF is where programs disagree about the end of a message: that is how mail is smuggled. */
const faults: Record<LineFault, string> = {
  'bare-cr': 'A CR without LF is not allowed in a message',
  'bare-lf': 'An LF without CR is not allowed in a message',
  nul: 'NUL is not allowed in a message',
  'long-line': `A line may have ${MAX_LINE_BYTES} bytes at most`,
}

/** A gauge of one message while it comes: true from the piece on with which its header is too long. */
export const headerGauge = (): ((piece: Buffer) => boolean) => {
  // As if a line ended before the first: a message may begin with the empty line.
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

/** What is wrong with a message whose header is too long: line ends that are none leave no header to measure. */
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
  // It would go on with the last of our own fields, which say what the checks found.
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

/** A structure that cannot be read is stored all the same; one that nests too deep is refused. @throws SmtpRefusal */
export const refuseTooDeep = (digest: MessageDigest | 'too-deep'): MessageDigest => {
  if (digest === 'too-deep')
    throw new SmtpRefusal('554 5.6.0', `Parts may nest ${MAX_MIME_DEPTH} levels deep`)
  return digest
}
