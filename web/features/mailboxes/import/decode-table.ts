/** The text of a file in any encoding that spreadsheets write, or why it is no table. */

export type Decoded = { text: string } | { fault: string }

/** UTF-8, UTF-16 with or without its mark, else Windows-1252. */
export function decodeTable(bytes: Uint8Array): Decoded {
  const kind = kindOf(bytes)
  if (kind !== undefined) return { fault: kind }
  const text = decode(bytes)
  if (text.trim() === '') return { fault: 'The file is empty.' }
  const start = text.slice(0, 4000)
  // Now and then a NUL or another control comes out of an old program; a picture or a program is full of them.
  const controls = start.match(/[^\P{Cc}\t\n\r\f]|\uFFFD/gu)?.length ?? 0
  if (controls > start.length / 20) return { fault: NO_TEXT }
  return { text: text.replaceAll('\0', '') }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = bytes.subarray(0, 200)
  const zeros = (odd: 0 | 1) =>
    start.filter((byte, at) => byte === 0 && at % 2 === odd).length > start.length / 4
  if (zeros(1)) return new TextDecoder('utf-16le').decode(bytes)
  if (zeros(0)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const SAVE_AS_CSV = 'Save it as CSV, or copy its cells and paste them here.'
const NO_TEXT = 'This file is not a table: it does not hold text. Choose a CSV file.'
const PICTURE = 'This file is a picture, whatever its name says. Choose a CSV file.'

/** What a file is by its first bytes, as latin1. */
const signatures: readonly [string, string][] = [
  ['PK\x03\x04', `This file is a spreadsheet. ${SAVE_AS_CSV}`],
  ['\xd0\xcf\x11\xe0', `This file is an old spreadsheet. ${SAVE_AS_CSV}`],
  ['%PDF', 'This file is a PDF file. Choose a CSV file.'],
  ['\x89PNG', PICTURE],
  ['\xff\xd8\xff', PICTURE],
  ['GIF8', PICTURE],
  ['RIFF', PICTURE],
  ['\x1f\x8b', 'This file is compressed. Unpack it, and choose the CSV file in it.'],
  ['{\\rtf', `This file is a text document. ${SAVE_AS_CSV}`],
]

const kindOf = (bytes: Uint8Array): string | undefined => {
  const start = String.fromCharCode(...bytes.subarray(0, 8))
  return signatures.find(([signature]) => start.startsWith(signature))?.[1]
}
