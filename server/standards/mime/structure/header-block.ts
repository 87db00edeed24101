/** The fields of a header as places in the bytes, and their text without folds. */
import { isAscii } from 'node:buffer'
import { decodeText } from '../charset.ts'

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09
const COLON = 0x3a
const DASH = 0x2d

/** Those beyond it are not listed. */
export const MAX_FIELDS = 1_000
const MAX_NAME_BYTES = 100
/** Longer values are cut. */
const MAX_VALUE_BYTES = 16_000

export type HeaderField = {
  /** Lower case; '' when the line is no field. */
  name: string
  start: number
  value: number
  /** After the last line end. */
  end: number
}

export type HeaderBlock = {
  fields: HeaderField[]
  /** After the empty line; where a delimiter ends the header, the delimiter. */
  body: number
  isDelimited: boolean
}

/** `isDelimiter` is asked about lines that begin with a dash: a part may have no empty line and no body. */
export const readHeaderBlock = (
  bytes: Buffer,
  start: number,
  isDelimiter: (at: number) => boolean,
): HeaderBlock => {
  const fields: HeaderField[] = []
  let last: HeaderField | null = null
  for (let at = start; at < bytes.length; ) {
    const lf = bytes.indexOf(LF, at)
    const next = lf === -1 ? bytes.length : lf + 1
    const first = bytes[at]
    if (at === lf || (first === CR && at + 1 === lf))
      return { fields, body: next, isDelimited: false }
    if (first === DASH && isDelimiter(at)) return { fields, body: at, isDelimited: true }
    if (last !== null && (first === SPACE || first === TAB)) last.end = next
    else {
      last = fieldAt(bytes, at, next)
      if (fields.length < MAX_FIELDS) fields.push(last)
    }
    at = next
  }
  return { fields, body: bytes.length, isDelimited: false }
}

const fieldAt = (bytes: Buffer, start: number, end: number): HeaderField => {
  const most = Math.min(end, start + MAX_NAME_BYTES)
  let colon = start
  while (colon < most && bytes[colon] !== COLON) colon += 1
  if (colon === most) return { name: '', start, value: start, end }
  const name = bytes.toString('latin1', start, colon).trimEnd().toLowerCase()
  return { name, start, value: colon + 1, end }
}

/** Without folds and other control characters; raw bytes are read as UTF-8, or in the charset of an old program. */
export const textOfField = (bytes: Buffer, { value, end }: HeaderField): string => {
  const raw = bytes.subarray(value, Math.min(end, value + MAX_VALUE_BYTES))
  const text = isAscii(raw) ? raw.toString('latin1') : decodeText(raw, '').toWellFormed()
  return (
    text
      .replace(/\r?\n/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no protocol takes them
      .replace(/[\u0000-\u001f\u007f]/g, ' ')
      .trim()
  )
}
