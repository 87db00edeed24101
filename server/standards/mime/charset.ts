/** Decodes text: by its charset label when the label is plausible, otherwise by its bytes. */
import { isUtf8 } from 'node:buffer'
import { bufferOf } from '#server/lib/threads/own-buffers.ts'
import { getDecoder } from './library.ts'

/** Labels without meaning: senders use them for text in any charset. */
const emptyLabels = new Set([
  '',
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  'unknown',
  'unknown-8bit',
  'x-unknown',
  'default',
])
const MAX_META = 4_096

/** `label`: the declared charset, '' for none. HTML without a label may name the charset itself. */
export const decodeText = (bytes: Uint8Array, label: string, isHtml = false): string => {
  const declared = label.trim().toLowerCase()
  const charset = emptyLabels.has(declared) ? (isHtml ? labelInHtml(bytes) : '') : declared
  return getDecoder(charset === '' ? guessOf(bytes) : charset).decode(bytes)
}

const guessOf = (bytes: Uint8Array): string => {
  if (isUtf8(withoutCutEnd(bytes))) return hasJapaneseEscapes(bytes) ? 'iso-2022-jp' : 'utf-8'
  return 'windows-1252'
}

/** The text may be cut at a limit, in the middle of a character. */
const withoutCutEnd = (bytes: Uint8Array): Uint8Array => {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  return end > 0 && (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes
}

const hasJapaneseEscapes = (bytes: Uint8Array): boolean =>
  ['\x1b$B', '\x1b$@'].some((start) => bufferOf(bytes).includes(start, 0, 'latin1'))

const labelInHtml = (bytes: Uint8Array): string => {
  const start = bufferOf(bytes.subarray(0, MAX_META)).toString('latin1')
  const label =
    /<meta\s[^>]{0,500}?charset\s{0,10}=\s{0,10}["']?([\w:.-]{1,40})/i.exec(start)?.[1] ?? ''
  // A meta tag that reads as ASCII cannot be in UTF-16 or UTF-32 (WHATWG HTML, 13.2.3.2).
  return /^utf-?(?:16|32)/i.test(label) ? 'utf-8' : label.toLowerCase()
}

let bytesByLetter: Map<string, number> | null = null

/** The bytes of a text that was decoded as windows-1252; null when it cannot have been. */
export const windowsBytesOf = (text: string): number[] | null => {
  bytesByLetter ??= new Map(
    Array.from({ length: 128 }, (_, n) => [
      getDecoder('windows-1252').decode(new Uint8Array([n + 128])),
      n + 128,
    ]),
  )
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.charCodeAt(0)
    const byte = code < 128 ? code : bytesByLetter.get(letter)
    if (byte === undefined) return null
    bytes.push(byte)
  }
  return bytes
}
