/**
 * Reads an mbox file piece by piece: mboxrd, mboxo, and those that count (mboxcl, mboxcl2), with LF or CRLF. What is in
 * memory is one message and one piece.
 */
import { setImmediate } from 'node:timers/promises'
import { readMailboxFields } from './mbox-fields.ts'
import { FIELD_BYTES, isSeparator, LOOK_AHEAD } from './separator.ts'

export type MboxEntry = {
  /** In the file. */
  startByte: number
  endByte: number
  /** The line that separates; '' when the file is one message without it. */
  fromLine: string
  /** As it stands in the file, without the line above and the empty one below; null when it is too large. */
  content: Buffer | null
  /** Its length was counted by its writer. */
  isCounted: boolean
}

const LF = 0x0a
const CR = 0x0d

type Ending = { contentEnd: number; next: number; isCounted: boolean }
/** `seen`: up to there no message ends, whatever follows. */
type Unended = { seen: number }

/** A file made for it has a million lines that might be a separator: others get their turn between. */
const LINES_IN_TURN = 500

/** `startByte`: where the first piece begins in the file, which is at the start of a message. */
export async function* readMbox(
  pieces: AsyncIterable<Buffer>,
  { startByte, maxBytes }: { startByte: number; maxBytes: number },
): AsyncGenerator<MboxEntry> {
  let held: Buffer = Buffer.alloc(0)
  let at = startByte
  let seen = 0
  const take = (bytes: number) => {
    held = held.subarray(bytes)
    at += bytes
    seen = Math.max(0, seen - bytes)
  }
  // A message that is too large is let go of as it comes.
  let lost: { startByte: number; fromLine: string } | null = null
  async function* entries(isLast: boolean): AsyncGenerator<MboxEntry> {
    for (;;) {
      if (lost === null) {
        take(emptyLinesAt(held, isLast))
        if (held.length === 0) return
      }
      const ending = await endingOf(held, { seen, isLost: lost !== null, isLast, maxBytes })
      if ('seen' in ending && !isLast) {
        seen = ending.seen
        if (held.length > maxBytes) {
          lost ??= { startByte: at, fromLine: fromLineOf(held) }
          take(held.length - LOOK_AHEAD)
        }
        return
      }
      const { contentEnd, next, isCounted } =
        'seen' in ending ? wholeOf(held, lost !== null) : ending
      const from = lost?.fromLine ?? fromLineOf(held)
      const isTooLarge = lost !== null || contentEnd > maxBytes
      yield {
        startByte: lost?.startByte ?? at,
        endByte: at + next,
        fromLine: from.trimEnd(),
        content: isTooLarge ? null : held.subarray(from.length, contentEnd),
        isCounted,
      }
      lost = null
      take(next)
      seen = 0
    }
  }
  for await (const piece of pieces) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    yield* entries(false)
  }
  yield* entries(true)
}

/** With its line end. */
const fromLineOf = (held: Buffer): string => {
  if (held.toString('latin1', 0, 5) !== 'From ') return ''
  const end = held.indexOf(LF)
  return held.toString('latin1', 0, end === -1 ? held.length : end + 1)
}

const emptyLinesAt = (held: Buffer, isLast: boolean): number => {
  let end = 0
  for (; held[end] === LF || (held[end] === CR && (isLast || held[end + 1] === LF)); end++);
  return end
}

type Reading = { seen: number; isLost: boolean; isLast: boolean; maxBytes: number }

const endingOf = async (
  held: Buffer,
  { seen, isLost, isLast, maxBytes }: Reading,
): Promise<Ending | Unended> => {
  const start = isLost ? 0 : fromLineOf(held).length
  if (!isLost && start === 0 && held.length < LOOK_AHEAD && !isLast) return { seen }
  const counted = isLost ? null : countedEnd(held, { start, isLast, maxBytes })
  if (counted !== null) return counted
  let lf = held.indexOf('\nFrom ', Math.max(seen, start - 1, 0))
  for (let lines = 1; lf !== -1; lines++) {
    if (held.length - lf < LOOK_AHEAD && !isLast) return { seen: lf }
    const isEmpty = isEmptyLineBefore(held, lf)
    const isFirst = lf < start
    if (!isFirst && isSeparator(twoLinesAt(held, lf + 1), isEmpty)) {
      const end = lf + 1 - (isEmpty ? (held[lf - 1] === CR ? 2 : 1) : 0)
      return { contentEnd: Math.max(end, start), next: lf + 1, isCounted: false }
    }
    if (lines % LINES_IN_TURN === 0) await setImmediate()
    lf = held.indexOf('\nFrom ', lf + 1)
  }
  return { seen: Math.max(seen, held.length - '\nFrom'.length) }
}

/** What is judged, and the start of what follows it. */
const twoLinesAt = (held: Buffer, at: number): string => {
  const end = held.subarray(at, at + LOOK_AHEAD).indexOf(LF)
  return held.toString('latin1', at, at + (end === -1 ? LOOK_AHEAD : end + FIELD_BYTES))
}

/** The line that ends at this LF has nothing else in it. */
const isEmptyLineBefore = (held: Buffer, lf: number): boolean => {
  const before = held[lf - 1] === CR ? lf - 2 : lf - 1
  return held[before] === LF
}

/** The rest of the file is one message. */
const wholeOf = (held: Buffer, isLost: boolean) => {
  const end = held.length
  const last = held[end - 1] === LF && isEmptyLineBefore(held, end - 1)
  const empty = last && !isLost ? (held[end - 2] === CR ? 2 : 1) : 0
  return { contentEnd: end - empty, next: end, isCounted: false }
}

const MAX_HEADER = 256_000

/**
 * Believed only where the file goes on as it says; never of what we wrote, which is quoted, nor where it says more than may
 * be held: whoever sent the message may have written it, and all that follows would be lost.
 */
const countedEnd = (
  held: Buffer,
  { start, isLast, maxBytes }: { start: number } & Pick<Reading, 'isLast' | 'maxBytes'>,
): Ending | Unended | null => {
  if (readMailboxFields(held.toString('latin1', start, start + LOOK_AHEAD)) !== null) return null
  const headerEnd = headerEndOf(held.subarray(start, start + MAX_HEADER))
  if (headerEnd === null) return null
  const header = held.toString('latin1', start, start + headerEnd)
  const count = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im.exec(header)?.[1]
  if (count === undefined) return null
  const end = start + headerEnd + Number(count)
  if (end > maxBytes) return null
  if (held.length < end + LOOK_AHEAD && !isLast) return { seen: 0 }
  if (end > held.length) return null
  const rest = held.toString('latin1', end, end + LOOK_AHEAD)
  const next = /^(?:\r?\n){0,3}/.exec(rest)?.[0].length ?? 0
  const isRight = rest.length === next || isSeparator(rest.slice(next), true)
  const isAtLineStart = held[end - 1] === LF || next > 0
  if (!isRight || !isAtLineStart) return null
  return { contentEnd: end, next: end + next, isCounted: true }
}

/** After its empty line; null when there is none. */
const headerEndOf = (start: Buffer): number | null => {
  const ends = ['\n\n', '\n\r\n']
    .map((blank) => start.indexOf(blank) + blank.length)
    .filter((end, n) => end >= 2 + n)
  return ends.length === 0 ? null : Math.min(...ends)
}
