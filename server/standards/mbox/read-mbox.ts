/**
 * Reads an mbox file piece by piece: mboxrd, mboxo, mboxcl and mboxcl2, with LF or CRLF. Memory holds one message and one piece.
 */
import { setImmediate } from 'node:timers/promises'
import { readMailboxFields } from './mbox-fields.ts'
import { FIELD_BYTES, isSeparator, LOOK_AHEAD } from './separator.ts'

export type MboxEntry = {
  /** Offsets in the file. */
  startByte: number
  endByte: number
  /** The separator line ('From ...'); '' when the file is one message without it. */
  fromLine: string
  /** The bytes in the file, without the separator line and the empty line at the end; null when they are too large. */
  content: Buffer | null
  /** Its writer gave the length in Content-Length. */
  isCounted: boolean
}

const LF = 0x0a
const CR = 0x0d

type Ending = { contentEnd: number; next: number; isCounted: boolean }
/** `seen`: no message ends before this offset, whatever follows. */
type Unended = { seen: number }

/** Lets other work run: a hostile file has a million lines that may be separators. */
const LINES_IN_TURN = 500

/** `startByte`: the offset of the first piece in the file; a message starts there. */
export async function* readMbox(
  pieces: AsyncIterable<Buffer>,
  { startByte, maxBytes }: { startByte: number; maxBytes: number },
): AsyncGenerator<MboxEntry> {
  let buffer: Buffer = Buffer.alloc(0)
  let at = startByte
  let seen = 0
  const consume = (bytes: number) => {
    buffer = buffer.subarray(bytes)
    at += bytes
    seen = Math.max(0, seen - bytes)
  }
  // A message that is too large is dropped while it is read.
  let dropped: { startByte: number; fromLine: string } | null = null
  async function* entries(isLast: boolean): AsyncGenerator<MboxEntry> {
    for (;;) {
      if (dropped === null) {
        consume(emptyLinesAt(buffer, isLast))
        if (buffer.length === 0) return
      }
      const ending = await endingOf(buffer, {
        seen,
        isDropping: dropped !== null,
        isLast,
        maxBytes,
      })
      if ('seen' in ending && !isLast) {
        seen = ending.seen
        if (buffer.length > maxBytes) {
          dropped ??= { startByte: at, fromLine: fromLineOf(buffer) }
          consume(buffer.length - LOOK_AHEAD)
        }
        return
      }
      const { contentEnd, next, isCounted } =
        'seen' in ending ? restOfFile(buffer, dropped !== null) : ending
      const from = dropped?.fromLine ?? fromLineOf(buffer)
      const isTooLarge = dropped !== null || contentEnd > maxBytes
      yield {
        startByte: dropped?.startByte ?? at,
        endByte: at + next,
        fromLine: from.trimEnd(),
        content: isTooLarge ? null : buffer.subarray(from.length, contentEnd),
        isCounted,
      }
      dropped = null
      consume(next)
      seen = 0
    }
  }
  for await (const piece of pieces) {
    buffer = buffer.length === 0 ? piece : Buffer.concat([buffer, piece])
    yield* entries(false)
  }
  yield* entries(true)
}

/** Includes the line end. */
const fromLineOf = (buffer: Buffer): string => {
  if (buffer.toString('latin1', 0, 5) !== 'From ') return ''
  const end = buffer.indexOf(LF)
  return buffer.toString('latin1', 0, end === -1 ? buffer.length : end + 1)
}

const emptyLinesAt = (buffer: Buffer, isLast: boolean): number => {
  let end = 0
  for (; buffer[end] === LF || (buffer[end] === CR && (isLast || buffer[end + 1] === LF)); end++);
  return end
}

type Reading = { seen: number; isDropping: boolean; isLast: boolean; maxBytes: number }

const endingOf = async (
  buffer: Buffer,
  { seen, isDropping, isLast, maxBytes }: Reading,
): Promise<Ending | Unended> => {
  const start = isDropping ? 0 : fromLineOf(buffer).length
  if (!isDropping && start === 0 && buffer.length < LOOK_AHEAD && !isLast) return { seen }
  const counted = isDropping ? null : countedEnd(buffer, { start, isLast, maxBytes })
  if (counted !== null) return counted
  let lf = buffer.indexOf('\nFrom ', Math.max(seen, start - 1, 0))
  for (let lines = 1; lf !== -1; lines++) {
    if (buffer.length - lf < LOOK_AHEAD && !isLast) return { seen: lf }
    const isEmpty = isEmptyLineBefore(buffer, lf)
    const isFirst = lf < start
    if (!isFirst && isSeparator(twoLinesAt(buffer, lf + 1), isEmpty)) {
      const end = lf + 1 - (isEmpty ? (buffer[lf - 1] === CR ? 2 : 1) : 0)
      return { contentEnd: Math.max(end, start), next: lf + 1, isCounted: false }
    }
    if (lines % LINES_IN_TURN === 0) await setImmediate()
    lf = buffer.indexOf('\nFrom ', lf + 1)
  }
  return { seen: Math.max(seen, buffer.length - '\nFrom'.length) }
}

/** The possible separator and the start of the next line. */
const twoLinesAt = (buffer: Buffer, at: number): string => {
  const end = buffer.subarray(at, at + LOOK_AHEAD).indexOf(LF)
  return buffer.toString('latin1', at, at + (end === -1 ? LOOK_AHEAD : end + FIELD_BYTES))
}

/** The line that ends at this LF is empty. */
const isEmptyLineBefore = (buffer: Buffer, lf: number): boolean => {
  const before = buffer[lf - 1] === CR ? lf - 2 : lf - 1
  return buffer[before] === LF
}

/** The rest of the file is one message. */
const restOfFile = (buffer: Buffer, isDropping: boolean) => {
  const end = buffer.length
  const last = buffer[end - 1] === LF && isEmptyLineBefore(buffer, end - 1)
  const empty = last && !isDropping ? (buffer[end - 2] === CR ? 2 : 1) : 0
  return { contentEnd: end - empty, next: end, isCounted: false }
}

const MAX_HEADER = 256_000

/**
 * The end of a message by its Content-Length. Trusted only when a separator or the end of the file follows there, and the length
 * is within the limit: the sender may have written the field, and a wrong length would lose the messages that follow. Not used
 * for our own files, which quote their lines.
 */
const countedEnd = (
  buffer: Buffer,
  { start, isLast, maxBytes }: { start: number } & Pick<Reading, 'isLast' | 'maxBytes'>,
): Ending | Unended | null => {
  if (readMailboxFields(buffer.toString('latin1', start, start + LOOK_AHEAD)) !== null) return null
  const headerEnd = headerEndOf(buffer.subarray(start, start + MAX_HEADER))
  if (headerEnd === null) return null
  const header = buffer.toString('latin1', start, start + headerEnd)
  const count = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im.exec(header)?.[1]
  if (count === undefined) return null
  const end = start + headerEnd + Number(count)
  if (end > maxBytes) return null
  if (buffer.length < end + LOOK_AHEAD && !isLast) return { seen: 0 }
  if (end > buffer.length) return null
  const rest = buffer.toString('latin1', end, end + LOOK_AHEAD)
  const next = /^(?:\r?\n){0,3}/.exec(rest)?.[0].length ?? 0
  const isRight = rest.length === next || isSeparator(rest.slice(next), true)
  const isAtLineStart = buffer[end - 1] === LF || next > 0
  if (!isRight || !isAtLineStart) return null
  return { contentEnd: end, next: end + next, isCounted: true }
}

/** The offset after the empty line; null when there is none. */
const headerEndOf = (start: Buffer): number | null => {
  const ends = ['\n\n', '\n\r\n']
    .map((blank) => start.indexOf(blank) + blank.length)
    .filter((end, n) => end >= 2 + n)
  return ends.length === 0 ? null : Math.min(...ends)
}
