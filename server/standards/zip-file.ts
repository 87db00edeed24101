/** Writes files into one archive (PKWARE APPNOTE 6.3). Stores them as they are: most attachments are compressed already. */
import { crc32 } from 'node:zlib'

export type ZippedFile = { name: string; content: Uint8Array }

/** What local headers, central headers and the end begin with. */
export const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50]
const VERSION = 20
/** Names are UTF-8 (bit 11). */
const FLAGS = 0x0800
/** 1980-01-01, the first day that the format knows. */
const DAY = 0x21

/** At most 65,535 files and 4 GB together, which no message reaches. */
export const zipOf = (files: readonly ZippedFile[]): Buffer => {
  const names = uniqueNames(files.map(({ name }) => name))
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [n, { content }] of files.entries()) {
    const name = Buffer.from(names[n] ?? '')
    const shared = sharedFields(content, name)
    const local = Buffer.concat([numbers([LOCAL, 4]), shared, name])
    parts.push(local, content)
    const place = numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])
    directory.push(numbers([CENTRAL, 4], [VERSION, 2]), shared, place, name)
    offset += local.length + content.length
  }
  const central = Buffer.concat(directory)
  const count = files.length
  const end = numbers([END, 4], [0, 2], [0, 2], [count, 2], [count, 2], [central.length, 4])
  return Buffer.concat([...parts, central, end, numbers([offset, 4], [0, 2])])
}

const sharedFields = (content: Uint8Array, name: Buffer): Buffer =>
  numbers(
    ...([
      [VERSION, 2],
      [FLAGS, 2],
      [0, 2],
      [0, 2],
      [DAY, 2],
      [crc32(content), 4],
      [content.length, 4],
      [content.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const),
  )

/** Little-endian, one after another. */
export const numbers = (...given: (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer =>
  Buffer.concat(
    given.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value))
      else buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )

/** No folders, nothing that a system reserves, none twice: 'plan.pdf', 'plan (2).pdf'. */
export const uniqueNames = (given: readonly string[]): string[] => {
  const taken = new Set<string>()
  return given.map((name) => {
    const safe = safeName(name)
    const [, stem = '', extension = ''] = /^(.+?)(\.[^.]{1,20})?$/.exec(safe) ?? []
    let unique = safe
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})${extension}`
    taken.add(unique.toLowerCase())
    return unique
  })
}

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const safeName = (name: string): string => {
  const plain = name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*\p{Bidi_Control}]+/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 120)
    .toWellFormed()
  return plain === '' || reserved.test(plain) ? `_${plain}` : plain
}
