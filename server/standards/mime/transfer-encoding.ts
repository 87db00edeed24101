/** Decodes the body of a part (RFC 2045 §6). Broken encodings are decoded as far as possible. */

const LF = 0x0a
const CR = 0x0d
const EQUALS = 0x3d

/** `encoding`: the value of Content-Transfer-Encoding. Unencoded content is returned without a copy. */
export const decodeTransfer = (encoded: Uint8Array, encoding: string): Uint8Array => {
  const name = encoding.toLowerCase()
  if (name.includes('base64')) return ofBase64(encoded)
  if (name.includes('quoted-printable')) return ofQuotedPrintable(encoded)
  if (/^x?-?uu(?:e|encode)?$/.test(name)) return ofUuencode(encoded)
  return encoded
}

const INVALID = 255
const WHITE_SPACE = 254
const PADDING = 253
const sextets = new Uint8Array(256).fill(INVALID)
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  sextets[letter.charCodeAt(0)] = value
for (const letter of '\r\n\t ') sextets[letter.charCodeAt(0)] = WHITE_SPACE
sextets[EQUALS] = PADDING

/** Padding in the middle ends a group: some programs join parts that were encoded separately. */
const ofBase64 = (encoded: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil((encoded.length * 3) / 4))
  let end = 0
  let bits = 0
  let pending = 0
  let invalidCount = 0
  for (const byte of encoded) {
    const value = sextets[byte] ?? INVALID
    if (value < 64) {
      pending = (pending << 6) | value
      bits += 6
      if (bits < 8) continue
      bits -= 8
      bytes[end++] = (pending >> bits) & 0xff
      pending &= (1 << bits) - 1
    } else if (value === PADDING) {
      bits = 0
      pending = 0
    } else if (value === INVALID) invalidCount += 1
  }
  // The text was never encoded, whatever its header says.
  return invalidCount * 20 > encoded.length ? encoded : bytes.subarray(0, end)
}

const hex = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const upper = byte & 0xdf
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1
}

/** Line ends stay as they are. */
const ofQuotedPrintable = (encoded: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(encoded.length)
  let end = 0
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] ?? 0
    if (byte === EQUALS) {
      const [high, low] = [hex(encoded[at + 1]), hex(encoded[at + 2])]
      if (high >= 0 && low >= 0) {
        bytes[end++] = (high << 4) | low
        at += 2
        continue
      }
      const next = softBreakEnd(encoded, at + 1)
      if (next !== -1) {
        at = next - 1
        continue
      }
    }
    bytes[end++] = byte
  }
  return bytes.subarray(0, end)
}

const MAX_PADDING = 80

/** The start of the next line when only white space follows on this one; otherwise -1. */
const softBreakEnd = (encoded: Uint8Array, from: number): number => {
  let at = from
  while (at - from < MAX_PADDING && (encoded[at] === 0x20 || encoded[at] === 0x09)) at += 1
  if (at >= encoded.length) return at
  if (encoded[at] === CR) at += 1
  return encoded[at] === LF ? at + 1 : -1
}

const UU_BEGIN = /^begin [0-7]{3,4} [^\r\n]*$/

const ofUuencode = (encoded: Uint8Array): Uint8Array => {
  const lines = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
    .toString('latin1')
    .split(/\r?\n/)
  const start = lines.findIndex((line) => UU_BEGIN.test(line))
  if (start === -1) return encoded
  const bytes = new Uint8Array(encoded.length)
  let end = 0
  for (const line of lines.slice(start + 1)) {
    if (line === 'end') break
    const length = line === '' ? 0 : (line.charCodeAt(0) - 0x20) & 0x3f
    const value = (at: number) => ((line.charCodeAt(at) || 0x20) - 0x20) & 0x3f
    for (let read = 0; read < length; read++) {
      const at = 1 + Math.floor(read / 3) * 4
      const group = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3)
      if (end < bytes.length) bytes[end++] = (group >> (16 - 8 * (read % 3))) & 0xff
    }
  }
  return bytes.subarray(0, end)
}
