/** Reads an archive in the 64-bit format by its directory, as unzip does. */
import { crc32, inflateRawSync } from 'node:zlib'

/** By name. Throws when a size, a sum or a header is not right. */
export const readZip = (zip: Buffer): Map<string, Buffer> => {
  const end = zip.length - 22
  check(zip.readUInt32LE(end) === 0x06054b50, 'the end')
  check(zip.readUInt32LE(end - 20) === 0x07064b50, 'the locator')
  const end64 = Number(zip.readBigUInt64LE(end - 12))
  check(zip.readUInt32LE(end64) === 0x06064b50, 'the 64-bit end')
  const count = Number(zip.readBigUInt64LE(end64 + 32))
  let at = Number(zip.readBigUInt64LE(end64 + 48))
  const files = new Map<string, Buffer>()
  for (let n = 0; n < count; n++) {
    check(zip.readUInt32LE(at) === 0x02014b50, 'the directory')
    const named = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + named)
    const extra = at + 46 + named + 4
    const [bytes, packed, start] = [0, 8, 16].map((place) =>
      Number(zip.readBigUInt64LE(extra + place)),
    ) as [number, number, number]
    check(zip.readUInt32LE(start) === 0x04034b50, name)
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const content = inflateRawSync(zip.subarray(from, from + packed))
    check(content.length === bytes && crc32(content) === zip.readUInt32LE(at + 16), name)
    files.set(name, content)
    at += 46 + named + 28
  }
  check(at === end64, 'the end of the directory')
  return files
}

const check = (isRight: boolean, what: string): void => {
  if (!isRight) throw new Error(`${what} is damaged`)
}
