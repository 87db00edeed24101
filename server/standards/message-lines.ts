/** Line endings of a message as bytes (RFC 5321 §2.3.8: CR and LF appear only together). */

const CR = 0x0d
const LF = 0x0a
const CRLF = Buffer.from('\r\n')

export type LineFault = 'bare-cr' | 'bare-lf' | 'nul' | 'long-line'

/** The first fault that a strict receiver refuses, or null. Searches natively, so it is cheap on large mail. */
export const lineFaultIn = (raw: Buffer, maxLineBytes: number): LineFault | null => {
  if (raw.includes(0)) return 'nul'
  let start = 0
  let nextCr = raw.indexOf(CR)
  for (let lf = raw.indexOf(LF); lf !== -1; lf = raw.indexOf(LF, lf + 1)) {
    if (nextCr === -1 || nextCr > lf) return 'bare-lf'
    if (nextCr !== lf - 1) return 'bare-cr'
    if (lf - start > maxLineBytes) return 'long-line'
    start = lf + 1
    nextCr = raw.indexOf(CR, start)
  }
  if (nextCr !== -1) return 'bare-cr'
  return raw.length - start > maxLineBytes ? 'long-line' : null
}

/** The same message with every CR, LF or CRLF as CRLF, ending in one. By bytes: a message may be 50 MB of line ends. */
export const withCrlf = (raw: Buffer): Buffer => {
  const body = lineFaultIn(raw, Number.MAX_SAFE_INTEGER) === null ? raw : mended(raw)
  return body.subarray(-2).equals(CRLF) ? body : Buffer.concat([body, CRLF])
}

const mended = (raw: Buffer): Buffer => {
  let more = 0
  for (const byte of raw) if (byte === CR || byte === LF) more++
  const body = Buffer.allocUnsafe(raw.length + more)
  let end = 0
  let before = 0
  for (const byte of raw) {
    if (byte !== CR && byte !== LF) body[end++] = byte
    else if (byte === CR || before !== CR) {
      body[end++] = CR
      body[end++] = LF
    }
    before = byte
  }
  return body.subarray(0, end)
}

/** Where the body starts: after the first empty line; the length of the message when there is none. */
export const bodyStartOf = (raw: Buffer): number => {
  if (raw[0] === CR && raw[1] === LF) return 2
  const at = raw.indexOf('\r\n\r\n')
  return at === -1 ? raw.length : at + 4
}

export type HeaderLine = {
  /** Lower case; '' for a line that is no field. */
  name: string
  /** The whole field with its folds, without the last CRLF; latin1, so that it keeps the bytes. */
  line: string
  /** Offset of its first byte in the message. */
  start: number
}

/** The header fields of a message, in order. */
export const headerLinesOf = (raw: Buffer): HeaderLine[] => {
  const text = raw.toString('latin1', 0, bodyStartOf(raw))
  const fields: { line: string; start: number }[] = []
  let start = 0
  for (const line of text.split('\r\n')) {
    const last = fields.at(-1)
    if (last !== undefined && /^[ \t]/.test(line)) last.line += `\r\n${line}`
    else if (line !== '') fields.push({ line, start })
    start += line.length + 2
  }
  return fields.map((field) => ({ ...field, name: nameOf(field.line) }))
}

/** The same bytes without these of its header fields, given in order. */
export const withoutFields = (raw: Buffer, fields: readonly HeaderLine[]): Buffer => {
  if (fields.length === 0) return raw
  const kept: Buffer[] = []
  let at = 0
  for (const { start, line } of fields) {
    kept.push(raw.subarray(at, start))
    at = start + line.length + 2
  }
  return Buffer.concat([...kept, raw.subarray(at)])
}

const nameOf = (line: string): string => {
  const colon = line.indexOf(':')
  return colon === -1 ? '' : line.slice(0, colon).trimEnd().toLowerCase()
}
