import { AppError, invalidField } from '#contract/errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * JSON from outside, of a size that `json-size` lets pass: UTF-8, without keys that reach prototypes, without NUL and half surrogate pairs.
 * @throws BAD_REQUEST; VALIDATION naming the field that holds a NUL.
 */
export const parseJson = (bytes: Uint8Array): unknown => {
  let value: unknown
  try {
    const text = utf8.decode(bytes)
    // Most texts have none, which is seen at once, also in one of 40 MB.
    const mayHoldHalves = text.includes('\\u') && escapedSurrogate.test(text)
    value = JSON.parse(text, mayHoldHalves ? wellFormed : undefined)
  } catch {
    throw new AppError('BAD_REQUEST', { message: 'The request is not valid JSON' })
  }
  checkValue(value, '')
  return value
}

/** The only way in for half a pair, which JSON in PostgreSQL does not take: what is cut in two by a program. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** PostgreSQL text cannot hold NUL, and no field of ours wants one. */
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

/** Of one body. The largest forms (1,000 mailboxes to pay for, 500 messages to change) have a fifth of it. */
export const MAX_VALUES = 5_000
export const MAX_DEPTH = 32
/** Besides strings: numbers, spaces, brackets. */
const MAX_BARE_BYTES = 256 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]

/**
 * Counts what a JSON body asks to be made, while its bytes come in: a body of brackets and commas becomes objects a hundred
 * times its size, and a fault told of each. What is too much is refused before anything is parsed.
 */
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
    let quote = -1
    for (let at = start; at < chunk.length; ) {
      if (isEscaped) {
        isEscaped = false
        at += 1
        continue
      }
      if (quote < at) quote = chunk.indexOf(QUOTE, at)
      // Asked for once: each escape would look through the rest of the chunk again.
      if (quote === -1) quote = chunk.length
      const backslash = chunk.subarray(at, quote).indexOf(BACKSLASH)
      if (backslash === -1) {
        isInString = quote === chunk.length
        return isInString ? quote : quote + 1
      }
      isEscaped = true
      at += backslash + 1
    }
    return chunk.length
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
