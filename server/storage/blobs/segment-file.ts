/**
 * Segment files, which hold many small blobs one after the other (decision 088). A blob's name tells where it is:
 * `{segment}.{offset}.{bytes}.{SHA-256}`. Each record has a header with magic, length, hash and a checksum, so that a segment
 * can be read without the database. Nobody appends to a segment that another process began.
 */
import { randomInt } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

export type BlobPlace = { segment: string; offset: number; size: number; hash: string }

export const SEGMENTS = 'segments'
const NAME = /^([0-9a-z]{15})\.(\d{1,15})\.(\d{1,9})\.([0-9a-f]{64})$/
const SEGMENT = /^[0-9a-z]{15}$/

export const isSegment = (name: string): boolean => SEGMENT.test(name)

/** null: the blob is a file of its own, named by its hash. */
export const placeOf = (name: string): BlobPlace | null => {
  const [, segment, offset, size, hash] = NAME.exec(name) ?? []
  if (segment === undefined || hash === undefined) return null
  return { segment, offset: Number(offset), size: Number(size), hash }
}

export const nameOf = ({ segment, offset, size, hash }: BlobPlace): string =>
  `${segment}.${offset}.${size}.${hash}`

/** The SHA-256 of a blob in hex, by its name. */
export const hashIn = (name: string): string => name.slice(-64)

/**
 * In the order of time until 2059, when the milliseconds need a ninth digit. The rest is by chance: in a bucket an object replaces one
 * of the same name.
 */
export const newSegment = (): string => {
  const chance = randomInt(36 ** RANDOM_DIGITS).toString(36)
  return Date.now().toString(36) + chance.padStart(RANDOM_DIGITS, '0')
}

const RANDOM_DIGITS = 7

export const pathOfSegment = (folder: string, segment: string): string =>
  join(folder, SEGMENTS, segment)

const MAGIC = Buffer.from('MSB1')
/** Magic 4, length 4, hash 32, CRC-32 of these 4. */
export const HEADER_BYTES = 44

export const headerOf = (hash: string, size: number): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32BE(size, 4)
  header.write(hash, 8, 'hex')
  header.writeUInt32BE(crc32(header.subarray(0, 40)), 40)
  return header
}

/**
 * The records of a segment whose header is whole, for whoever has lost the database. After a damaged header it goes on at the next
 * whole one; a record that a crash cut off at the end is left out.
 */
export async function* recordsIn(folder: string, segment: string): AsyncGenerator<BlobPlace> {
  const file = await open(pathOfSegment(folder, segment), 'r')
  try {
    const { size: end } = await file.stat()
    for (let offset = 0; offset + HEADER_BYTES <= end; ) {
      const header = await headerAt(file, offset)
      if (header !== null && offset + HEADER_BYTES + header.size <= end) {
        yield { segment, offset, ...header }
        offset += HEADER_BYTES + header.size
      } else offset = await nextMagic(file, offset + 1, end)
    }
  } finally {
    await file.close()
  }
}

const headerAt = async (file: FileHandle, offset: number) => {
  const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, offset)
  const isWhole =
    buffer.subarray(0, 4).equals(MAGIC) && buffer.readUInt32BE(40) === crc32(buffer.subarray(0, 40))
  return isWhole ? { size: buffer.readUInt32BE(4), hash: buffer.toString('hex', 8, 40) } : null
}

const SEARCH_BYTES = 65_536

const nextMagic = async (file: FileHandle, from: number, end: number): Promise<number> => {
  for (let at = from; at < end; at += SEARCH_BYTES - MAGIC.length + 1) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SEARCH_BYTES), 0, SEARCH_BYTES, at)
    const found = buffer.subarray(0, bytesRead).indexOf(MAGIC)
    if (found >= 0) return at + found
  }
  return end
}
