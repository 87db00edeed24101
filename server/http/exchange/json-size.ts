/**
 * Counts what a JSON body asks to be made, while its bytes come in: a body of brackets and commas becomes objects a hundred
 * times its size, and a fault told of each. What is too much is refused before anything is parsed.
 */
import { AppError } from '#contract/errors.ts'

/** Of one body. The largest forms (1,000 mailboxes to pay for, 500 messages to change) have a fifth of it. */
export const MAX_VALUES = 5_000
export const MAX_DEPTH = 32
/** Besides strings: numbers, spaces, brackets. */
const MAX_BARE_BYTES = 256 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const LOOK_AHEAD_BYTES = 4_096
/** Of a string, without an escape. */
const LONG_BYTES = 256
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]

/** The next byte that is not just a letter of the string; the end when there is none. Never looks further than a few kilobytes. */
const nextOf = (chunk: Buffer, at: number): number => {
  const ahead = chunk.subarray(at, at + LOOK_AHEAD_BYTES)
  const quote = ahead.indexOf(QUOTE)
  const letters = quote === -1 ? ahead : ahead.subarray(0, quote)
  const backslash = letters.indexOf(BACKSLASH)
  return at + (backslash === -1 ? letters.length : backslash)
}

export type JsonSize = {
  /** Each byte once, in order. @returns why the body is refused, or null */
  add(chunk: Buffer): AppError | null
}

export const openJsonSize = (maxValues = MAX_VALUES): JsonSize => {
  let values = 1
  let depth = 0
  let bareBytes = 0
  let isInString = false
  let isEscaped = false

  /** @returns where the string goes on outside of this chunk, or ends */
  const skipString = (chunk: Buffer, start: number): number => {
    let at = start
    let plainBytes = 0
    while (at < chunk.length) {
      // A file: what follows is looked through natively.
      if (plainBytes++ === LONG_BYTES) {
        at = nextOf(chunk, at)
        plainBytes = 0
        continue
      }
      const byte = chunk[at++]
      if (isEscaped || byte === BACKSLASH) plainBytes = 0
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) {
        isInString = false
        return at
      }
    }
    return at
  }

  const note = (byte: number): void => {
    bareBytes += 1
    if (byte === QUOTE) isInString = true
    else if (byte === COMMA || byte === COLON) values += 1
    else if (OPEN.includes(byte)) {
      depth += 1
      values += 1
    } else if (CLOSE.includes(byte)) depth -= 1
  }

  return {
    add: (chunk) => {
      for (let at = 0; at < chunk.length; ) {
        if (isInString) at = skipString(chunk, at)
        else note(chunk[at++] ?? 0)
        if (depth > MAX_DEPTH)
          return new AppError('BAD_REQUEST', { message: 'The request is nested too deeply' })
        if (values > maxValues || bareBytes > MAX_BARE_BYTES)
          return new AppError('PAYLOAD_TOO_LARGE', { message: 'The request holds too many values' })
      }
      return null
    },
  }
}
