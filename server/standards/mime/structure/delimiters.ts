/** The lines that divide multiparts (RFC 2046 §5.1.1), found in the order of the bytes, none twice. */

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
const SPACE = 0x20
const TAB = 0x09
const BEGIN = Buffer.from('\n--')
/** A hostile mail has millions of lines that begin as delimiters do; what follows this many belongs to the last part. */
const MAX_COMPARED = 2_000_000

type Delimiter = {
  /** Where its line begins, and where the next one does. */
  start: number
  end: number
  boundary: OpenBoundary
  isLast: boolean
}

type OpenBoundary = { text: Buffer }

export const delimiterFinder = (bytes: Buffer) => {
  const open: OpenBoundary[] = []
  let compared = 0
  let next: Delimiter | null = null

  /** The innermost one counts. */
  const delimiterAt = (start: number): Delimiter | null => {
    for (let n = open.length - 1; n >= 0 && compared < MAX_COMPARED; n--, compared++) {
      const boundary = open[n]
      if (boundary === undefined || !beginsWith(bytes, start + 2, boundary.text)) continue
      const found = restOfLine(bytes, start + 2 + boundary.text.length)
      if (found !== null) return { start, boundary, ...found }
    }
    return null
  }

  const find = (from: number): void => {
    next = null
    if (open.length === 0) return
    for (let at = bytes.indexOf(BEGIN, Math.max(from - 1, 0)); at !== -1; ) {
      next = delimiterAt(at + 1)
      if (next !== null || compared >= MAX_COMPARED) return
      at = bytes.indexOf(BEGIN, at + 1)
    }
  }

  return {
    /** Finds the next delimiter at `from`, which begins a line, or after it. */
    find,
    /** Where a body ends that the found delimiter ends, or the end of the mail. */
    endOfBody: (least: number): number =>
      next === null ? bytes.length : endBefore(bytes, next.start, least),
    /** Whether this line is a delimiter, which is the found one then. */
    isDelimiter: (at: number): boolean => {
      if (bytes[at + 1] !== DASH) return false
      const found = delimiterAt(at)
      if (found !== null) next = found
      return found !== null
    },
    /** From now on lines with this boundary are delimiters. */
    open: (text: string) => {
      const boundary = { text: Buffer.from(text) }
      open.push(boundary)
      return {
        /** Where a part of it begins; null when there are no more. */
        partBegin: (): number | null =>
          next === null || next.boundary !== boundary || next.isLast ? null : next.end,
        /** Goes on to what ends the whole. */
        close: (): void => {
          open.pop()
          if (next?.boundary === boundary) find(next.end)
        },
      }
    },
  }
}

/** The line end before a delimiter belongs to it. */
export const endBefore = (bytes: Buffer, start: number, least: number): number => {
  const lineEnd = bytes[start - 1] !== LF ? 0 : bytes[start - 2] === CR ? 2 : 1
  return Math.max(start - lineEnd, least)
}

const beginsWith = (bytes: Buffer, start: number, text: Buffer): boolean => {
  if (text.length === 0 || bytes[start] !== text[0]) return false
  const end = start + text.length
  return end <= bytes.length && bytes.compare(text, 0, text.length, start, end) === 0
}

/** Two dashes mark the last one; white space may follow. null: the line goes on. */
const restOfLine = (bytes: Buffer, from: number): { end: number; isLast: boolean } | null => {
  const isLast = bytes[from] === DASH && bytes[from + 1] === DASH
  let at = isLast ? from + 2 : from
  while (bytes[at] === SPACE || bytes[at] === TAB) at += 1
  if (bytes[at] === CR) at += 1
  if (at < bytes.length && bytes[at] !== LF) return null
  return { end: Math.min(at + 1, bytes.length), isLast }
}
