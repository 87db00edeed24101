import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { PIECE_BYTES } from '#server/lib/files/piece-sums.ts'
import { piecesOf } from '#server/lib/files/pieces.ts'
import type { OpenedBlob } from '../file-parts.ts'
import { hashIn } from '../segment-file.ts'

/** Of a blob's bytes. */
export type Part = { start: number; end: number }

export type PartReader = {
  /** Fewer bytes when the blob ends before. @throws BlobMissing when it is not right */
  read(name: string, part: Part, isRight: (bytes: Buffer) => boolean): Promise<Buffer>
  /** It is read from the store again. */
  forget(name: string, part: Part): Promise<void>
}

const CHUNK_BYTES = 8 * PIECE_BYTES

/** Reads all of it once to verify it, and each chunk again when it is asked for: one is in memory at a time. @throws BlobMissing */
export const openLarge = async (name: string, parts: PartReader): Promise<OpenedBlob> => {
  let found = await sumsOf(name, parts)
  if (!found.isWhole) {
    // A chunk was changed on its way, or in the cache.
    for (const n of found.sums.keys()) await parts.forget(name, chunkAt(n))
    found = await sumsOf(name, parts)
  }
  if (!found.isWhole) throw new BlobMissing(name, 'damaged')
  const { size, sums } = found
  return {
    size,
    async *pieces() {
      for (const [n, sum] of sums.entries()) {
        const bytes = await parts.read(name, chunkAt(n), (each) => crc32(each) === sum)
        yield* piecesOf(bytes, PIECE_BYTES)
      }
    },
  }
}

const chunkAt = (n: number): Part => ({ start: n * CHUNK_BYTES, end: (n + 1) * CHUNK_BYTES })

/** The CRC-32 of each chunk, and whether the hash of all is the one in the name. */
const sumsOf = async (name: string, parts: PartReader) => {
  const hash = createHash('sha256')
  const sums: number[] = []
  let size = 0
  for (let isEnd = false; !isEnd; ) {
    const bytes = await parts.read(name, chunkAt(sums.length), () => true)
    hash.update(bytes)
    sums.push(crc32(bytes))
    size += bytes.length
    isEnd = bytes.length < CHUNK_BYTES
  }
  return { size, sums, isWhole: hash.digest('hex') === hashIn(name) }
}
