/** Sets of sequence numbers or UIDs (RFC 9051 §9, `sequence-set`). */
import { BadSyntax, type Cursor } from './cursor.ts'

/** Inclusive. `LAST`: `*`, the highest that there is. */
export type Range = { first: number; last: number }
/** `saved`: `$`, what the last SEARCH has saved (RFC 5182). */
export type MessageSet = readonly Range[] | 'saved'

export const LAST = Number.POSITIVE_INFINITY
const MAX_RANGES = 20_000

export const readSet = (cursor: Cursor): MessageSet => {
  if (cursor.take('$')) return 'saved'
  return readRanges(cursor)
}

export const readRanges = (cursor: Cursor): Range[] => {
  const ranges: Range[] = []
  do {
    const one = readEnd(cursor)
    const other = cursor.take(':') ? readEnd(cursor) : one
    ranges.push({ first: Math.min(one, other), last: Math.max(one, other) })
    if (ranges.length > MAX_RANGES) throw new BadSyntax('A set of messages has too many parts')
  } while (cursor.take(','))
  return ranges
}

const readEnd = (cursor: Cursor): number => {
  if (cursor.take('*')) return LAST
  const number = cursor.number()
  if (number === 0) throw new BadSyntax('0 is no number of a message')
  return number
}

/** In order, without overlaps, `*` replaced by `highest`. */
export const resolveRanges = (ranges: readonly Range[], highest: number): Range[] => {
  const resolved = ranges.map(({ first, last }) => {
    const [a, b] = [first === LAST ? highest : first, last === LAST ? highest : last]
    return { first: Math.min(a, b), last: Math.max(a, b) }
  })
  const merged: Range[] = []
  for (const range of resolved.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1)
    if (before && range.first <= before.last + 1) before.last = Math.max(before.last, range.last)
    else merged.push({ ...range })
  }
  return merged
}

/** `1:3,5`. `numbers`: ascending. */
export const setText = (numbers: Iterable<number>): string => {
  const parts: string[] = []
  let first = 0
  let last = 0
  const end = () => {
    if (first > 0) parts.push(first === last ? String(first) : `${first}:${last}`)
  }
  for (const number of numbers) {
    if (first > 0 && number === last + 1) last = number
    else {
      end()
      first = number
      last = number
    }
  }
  end()
  return parts.join(',')
}

/** `4:2,9`: in the order that is given, for COPYUID (RFC 4315 §3): as many numbers as the other set has. */
export const orderedSetText = (numbers: readonly number[]): string => {
  const parts: string[] = []
  for (let at = 0; at < numbers.length; ) {
    const first = numbers[at] ?? 0
    let end = at + 1
    while (end < numbers.length && numbers[end] === first + end - at) end += 1
    parts.push(end - at === 1 ? String(first) : `${first}:${first + end - at - 1}`)
    at = end
  }
  return parts.join(',')
}
