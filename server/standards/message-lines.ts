/** Line ends of a message as bytes (RFC 5321 §2.3.8: CR and LF appear only together). */

const CR = 0x0d
const LF = 0x0a
const CRLF = Buffer.from('\r\n')

export type LineFault = 'bare-cr' | 'bare-lf' | 'nul' | 'long-line'

/** The first fault that a strict receiver refuses, or null. Uses native search, so it is fast on large mail. */
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

/** Turns every CR, LF and CRLF into CRLF, and ends the message with one. Works on bytes: a message may be 50 MB of line ends. */
export const withCrlf = (raw: Buffer): Buffer => {
  const body = lineFaultIn(raw, Number.MAX_SAFE_INTEGER) === null ? raw : normalised(raw)
  return body.subarray(-2).equals(CRLF) ? body : Buffer.concat([body, CRLF])
}

const normalised = (raw: Buffer): Buffer => {
  let extraBytes = 0
  for (const byte of raw) if (byte === CR || byte === LF) extraBytes++
  const body = Buffer.allocUnsafe(raw.length + extraBytes)
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

/** The offset of the body: after the first empty line; the length of the message when there is no empty line. */
export const bodyStartOf = (raw: Buffer): number => {
  if (raw[0] === CR && raw[1] === LF) return 2
  const at = raw.indexOf('\r\n\r\n')
  return at === -1 ? raw.length : at + 4
}

export type HeaderLine = {
  /** Lower case; '' when the line is not a header field. */
  name: string
  /** The whole field with its folded lines, without the last CRLF; latin1, so that every byte is kept. */
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

/** Returns the message without these header fields, which are in message order. */
export const withoutFields = (raw: Buffer, fields: readonly HeaderLine[]): Buffer => {
  if (fields.length === 0) return raw
  const pieces: Buffer[] = []
  let at = 0
  for (const { start, line } of fields) {
    pieces.push(raw.subarray(at, start))
    at = start + line.length + 2
  }
  return Buffer.concat([...pieces, raw.subarray(at)])
}

const nameOf = (line: string): string => {
  const colon = line.indexOf(':')
  return colon === -1 ? '' : line.slice(0, colon).trimEnd().toLowerCase()
}
