import { AppError, invalidField } from '#contract/errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses foreign JSON of a size that `openJsonSize` accepts: UTF-8, without keys that reach prototypes, without NUL
 * and half surrogate pairs.
 * @throws BAD_REQUEST; VALIDATION naming the field that holds a NUL.
 */
export const parseJson = (bytes: Uint8Array): unknown => {
  let value: unknown
  try {
    const text = utf8.decode(bytes)
    // Most texts have none, which a search shows quickly even in 40 MB.
    const mayHoldHalves = text.includes('\\u') && escapedSurrogate.test(text)
    value = JSON.parse(text, mayHoldHalves ? wellFormed : undefined)
  } catch {
    throw new AppError('BAD_REQUEST', { message: 'The request is not valid JSON' })
  }
  checkValue(value, '')
  return value
}

/** An escape is the only way to write half a surrogate pair, which PostgreSQL's JSON refuses. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** PostgreSQL text cannot contain NUL, and no field needs it. */
export const NO_NUL = 'Control characters are not allowed'

const checkValue = (value: unknown, path: string): void => {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidField(path === '' ? 'body' : path, NO_NUL)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || (key === 'constructor' && !Array.isArray(value)))
      throw new AppError('BAD_REQUEST', { message: 'The request holds a forbidden key' })
    const at = path === '' ? key : `${path}.${key}`
    if (key.includes('\0')) throw invalidField(at.replaceAll('\0', ''), NO_NUL)
    checkValue(inner, at)
  }
}

/** Values per body. The largest forms (1,000 mailboxes to pay for, 500 messages to change) use a fifth of it. */
export const MAX_VALUES = 5_000
export const MAX_DEPTH = 32
/** Bytes outside strings: numbers, spaces, brackets. */
const MAX_BARE_BYTES = 256 * 1024

export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN = [0x5b, 0x7b]
export const CLOSE = [0x5d, 0x7d]

/** Finds the end of a string that arrives in chunks: its closing quote, or the end of the chunk. Searches natively. */
export const openStringEnd = (): ((chunk: Buffer, start: number) => number) => {
  let isEscaped = false
  return (chunk, start) => {
    let quote = -1
    for (let at = start; at < chunk.length; ) {
      if (isEscaped) {
        isEscaped = false
        at += 1
        continue
      }
      // Searched once: otherwise each escape would search the rest of the chunk again.
      if (quote < at) quote = indexOrEnd(chunk, QUOTE, at)
      const backslash = chunk.subarray(at, quote).indexOf(BACKSLASH)
      if (backslash === -1) return quote
      isEscaped = true
      at += backslash + 1
    }
    return chunk.length
  }
}

const indexOrEnd = (chunk: Buffer, byte: number, from: number): number => {
  const at = chunk.indexOf(byte, from)
  return at === -1 ? chunk.length : at
}

/**
 * Counts the values of a JSON body while its bytes arrive: a body of brackets and commas becomes objects a hundred
 * times its size, and a message for each fault. Too many are refused before anything is parsed.
 */
export type JsonSize = {
  /** Feed each byte once, in order. @returns why the body is refused, or null */
  add(chunk: Buffer): AppError | null
}

export const openJsonSize = (maxValues = MAX_VALUES): JsonSize => {
  let values = 1
  let depth = 0
  let bareBytes = 0
  let isInString = false
  const endOfString = openStringEnd()

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
        if (isInString) {
          const end = endOfString(chunk, at)
          isInString = end === chunk.length
          at = end + 1
        } else note(chunk[at++] ?? 0)
        if (depth > MAX_DEPTH)
          return new AppError('BAD_REQUEST', { message: 'The request is nested too deeply' })
        if (values > maxValues || bareBytes > MAX_BARE_BYTES)
          return new AppError('PAYLOAD_TOO_LARGE', { message: 'The request holds too many values' })
      }
      return null
    },
  }
}
