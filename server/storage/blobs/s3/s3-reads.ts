/** Reads of blobs in a bucket, through a cache. What is returned was verified: by its hash, or by the sums of its pieces. */
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { areAsSummed, PIECE_BYTES, piecesAround } from '#server/lib/files/piece-sums.ts'
import { piecesOf } from '#server/lib/files/pieces.ts'
import type { Bucket } from '#server/lib/remote/bucket.ts'
import { type BlobStore, hashOf } from '../blobs.ts'
import { fileKey, segmentKey } from '../place-objects.ts'
import { HEADER_BYTES, hashIn, placeOf } from '../segment-file.ts'
import type { BlobCache } from './blob-cache.ts'
import { openLarge, type Part, type PartReader } from './open-large.ts'

/** Larger blobs are objects of their own, and are read part by part. */
export const SMALL_BYTES = 128_000

/** Of the object that holds the blob. */
export const keyOf = (name: string): string => {
  const place = placeOf(name)
  return place === null ? fileKey(name) : segmentKey(place.segment)
}

export type S3ReadOptions = {
  cache: BlobCache
  /** Called where an object is missing. @throws BlobStoreAway when the bucket is not ours */
  checkMark: () => Promise<void>
}

type IsRight = (bytes: Buffer) => boolean

export const s3Reads = (
  bucket: Bucket,
  { cache, checkMark }: S3ReadOptions,
): Pick<BlobStore, 'get' | 'stored' | 'open' | 'range'> => {
  /** @throws BlobMissing when there is no such object */
  const bytesOf = async (name: string, part: Part): Promise<Buffer> => {
    const range = rangeOf(name, part)
    if (range !== undefined && range.end <= range.start) return NOTHING
    const bytes = await bucket.get(keyOf(name), range)
    if (bytes !== null) return bytes
    await checkMark()
    throw new BlobMissing(name, 'missing')
  }

  /** Asks the store again for what is not right: it may have been changed on its way. @throws BlobMissing */
  const verified = async (name: string, part: Part, isRight: IsRight): Promise<Buffer> => {
    for (let tries = 0; tries < 2; tries++) {
      const bytes = await bytesOf(name, part)
      if (isRight(bytes)) return bytes
    }
    throw new BlobMissing(name, 'damaged')
  }

  const cached = async (key: string, isRight: IsRight, read: () => Promise<Buffer>) => {
    const found = await cache.get(key)
    if (found !== null && isRight(found)) return found
    const bytes = await read()
    await cache.put(key, bytes)
    return bytes
  }

  const stored = (name: string) => verified(name, ALL, isHashed(name))
  const get = (name: string) => cached(hashIn(name), isHashed(name), () => stored(name))
  const parts: PartReader = {
    read: (name, part, isRight) =>
      cached(partKey(name, part), isRight, () => verified(name, part, isRight)),
    forget: (name, part) => cache.drop(partKey(name, part)),
  }

  return {
    ...{ get, stored },
    open: async (name) => {
      const place = placeOf(name)
      if (place === null || place.size > SMALL_BYTES) return openLarge(name, parts)
      const bytes = await get(name)
      return { size: bytes.length, pieces: () => piecesOf(bytes, PIECE_BYTES) }
    },
    range: async (name, { start, end, size }, sums) => {
      if (size <= PIECE_BYTES) return (await get(name)).subarray(start, end)
      const around = piecesAround(start, end, size)
      const bytes = await parts.read(
        name,
        around,
        (each) =>
          each.length === around.end - around.start && areAsSummed(each, around.start, sums),
      )
      return bytes.subarray(start - around.start, end - around.start)
    },
  }
}

const NOTHING = Buffer.alloc(0)
const ALL: Part = { start: 0, end: Number.POSITIVE_INFINITY }

const isHashed =
  (name: string): IsRight =>
  (bytes) =>
    hashOf(bytes) === hashIn(name)

const partKey = (name: string, { start, end }: Part): string => `${hashIn(name)}.${start}-${end}`

/** The part of a blob as a range of its object; undefined: all of the object. */
const rangeOf = (name: string, { start, end }: Part): Part | undefined => {
  const place = placeOf(name)
  if (place === null) return Number.isFinite(end) ? { start, end } : undefined
  const from = place.offset + HEADER_BYTES
  return { start: from + start, end: from + Math.min(end, place.size) }
}
