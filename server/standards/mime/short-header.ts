/**
 * Makes a message with an oversized header readable, such as an imported one with a subject of megabytes: cuts its fields, and
 * drops those beyond the limit. Only for reading: the stored bytes do not change.
 */
import { bodyStartOf } from '../message-lines.ts'

const MAX_HEADER_BYTES = 256_000
const MAX_FIELD_BYTES = 16_000
const SPACE = 0x20
const TAB = 0x09
const CRLF = Buffer.from('\r\n')

/** `raw` has CRLF line ends. For almost every message it returns the same bytes. */
export const withShortHeader = (raw: Uint8Array): Buffer => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const bodyStart = bodyStartOf(bytes)
  if (bodyStart <= MAX_HEADER_BYTES) return bytes
  const fields: Buffer[] = []
  let size = 0
  for (let start = 0; start < bodyStart; ) {
    const end = endOfField(bytes, start, bodyStart)
    const field = bytes.subarray(start, Math.min(end, start + MAX_FIELD_BYTES))
    size += field.length + CRLF.length
    if (size > MAX_HEADER_BYTES) break
    if (field.length > 0) fields.push(field, CRLF)
    start = end + CRLF.length
  }
  return Buffer.concat([...fields, CRLF, bytes.subarray(bodyStart)])
}

/** The end of a field without its last CRLF; a line that begins with white space continues the field. */
const endOfField = (bytes: Buffer, start: number, bodyStart: number): number => {
  let end = bytes.indexOf(CRLF, start)
  while (end !== -1 && end < bodyStart) {
    const next = bytes[end + CRLF.length]
    if (next !== SPACE && next !== TAB) return end
    end = bytes.indexOf(CRLF, end + CRLF.length)
  }
  return bodyStart
}
