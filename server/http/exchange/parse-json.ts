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
