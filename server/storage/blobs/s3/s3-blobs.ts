/**
 * The blobs of an installation in a bucket (decision 130). What `segmentBlobs` keeps in files is here in objects with the same names,
 * so that blobs move between the two and no row changes: `segments/{segment}` holds what came in one moment, `files/{SHA-256}` a
 * large blob that came from a disk.
 */
import { checkRoomOn, isRoomOn } from '#server/lib/files/data-folder.ts'
import type { Bucket } from '#server/lib/remote/bucket.ts'
import { type BlobStore, hashOf, type StoreMark } from '../blobs.ts'
import { fileKey, type PlaceObjects, segmentKey } from '../place-objects.ts'
import { placeOf } from '../segment-file.ts'
import { markWatch } from './mark-watch.ts'
import { putQueue } from './put-queue.ts'
import { keyOf, type S3ReadOptions, SMALL_BYTES, s3Reads } from './s3-reads.ts'

export type S3BlobsOptions = S3ReadOptions & {
  /** Where our own PostgreSQL has its disk, and how much of it is left for it; null: it is elsewhere. */
  reserve: { folder: string; bytes: number } | null
}

export const s3Blobs = (bucket: Bucket, options: S3BlobsOptions): BlobStore => {
  const { cache, checkMark, reserve } = options
  const checkOften = markWatch(checkMark)
  const queue = putQueue((segment, bytes) => bucket.put(segmentKey(segment), bytes), SMALL_BYTES)
  return {
    ...s3Reads(bucket, options),
    put: async (bytes) => {
      await checkOften()
      if (reserve !== null) await checkRoomOn(reserve.folder, reserve.bytes)
      const hash = hashOf(bytes)
      const [name] = await Promise.all([queue.append(hash, bytes), cache.put(hash, bytes)])
      // A slow upload may end after the blobs have moved away from here.
      await checkOften()
      return name
    },
    has: async (name) => {
      const start = placeOf(name)?.offset ?? 0
      return (await bucket.get(keyOf(name), { start, end: start + 1 })) !== null
    },
    hasRoom: async () =>
      reserve === null || (await isRoomOn(reserve.folder, reserve.bytes).catch(() => true)),
    // What shares its object with others is given back by the sweep, with the object.
    delete: async (name) => {
      if ((placeOf(name)?.size ?? SMALL_BYTES + 1) > SMALL_BYTES) await bucket.remove(keyOf(name))
    },
    deleteOlder: async (hash, than) => {
      const found = await objectAt(bucket, fileKey(hash))
      if (found === null || found.writtenAt >= than) return false
      await bucket.remove(fileKey(hash))
      return true
    },
    list: () => under(bucket, fileKey(''), (hash, rest) => ({ hash, ...rest })),
    segments: () => under(bucket, segmentKey(''), (segment, rest) => ({ segment, ...rest })),
    segmentOf: (segment) => objectAt(bucket, segmentKey(segment)),
    removeSegment: (segment) => bucket.remove(segmentKey(segment)),
    // What was not written whole is not there.
    removeLeftovers: async () => {},
    close: () => queue.close(),
  }
}

/** What is in a folder of the bucket, as `named` makes it of the name in the folder. */
async function* under<T>(
  bucket: Bucket,
  folder: string,
  named: (name: string, rest: { size: number; writtenAt: Date }) => T,
) {
  for await (const { key, ...rest } of bucket.list(folder))
    yield named(key.slice(folder.length), rest)
}

const objectAt = async (bucket: Bucket, wanted: string) => {
  for await (const object of bucket.list(wanted)) if (object.key === wanted) return object
  return null
}

/** An object that carries the installation's id. */
export const bucketMark = (bucket: Bucket): StoreMark => ({
  // In a range: of an object whose size is unknown it would wait as long as for a large one.
  read: async () =>
    (await bucket.get(MARK, { start: 0, end: MARK_BYTES }))?.toString('utf8').trim() ?? null,
  write: putMark(bucket),
  replace: putMark(bucket),
})

const putMark = (bucket: Bucket) => (mark: string) => bucket.put(MARK, Buffer.from(`${mark}\n`))

const MARK = 'installation'
/** More than a mark has. */
const MARK_BYTES = 1_000

export const bucketObjects = (bucket: Bucket): PlaceObjects => ({
  async *list() {
    yield* bucket.list(fileKey(''))
    yield* bucket.list(segmentKey(''))
  },
  sizeOf: async (key) => (await objectAt(bucket, key))?.size ?? null,
  read: (key) => bucket.get(key),
  write: (key, bytes) => bucket.put(key, bytes),
})
