/**
 * Where an installation keeps its blobs: a folder of DATA_DIR, or the bucket of BLOB_URL. While they move from one to the other, what
 * is not in the new place yet is read from BLOB_FROM.
 */
import { randomUUID } from 'node:crypto'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { isDiskFull } from '../../lib/files/data-folder.ts'
import { reasonOf } from '../../lib/ports/bound-ports.ts'
import { openBucket } from '../../lib/remote/bucket.ts'
import type { BlobStore, StoreMark } from './blobs.ts'
import { fileMark } from './file-mark.ts'
import { folderObjects, type PlaceObjects } from './place-objects.ts'
import { readFromBoth } from './read-from-both.ts'
import { asBlobBucket } from './s3/as-blob-bucket.ts'
import { blobCache } from './s3/blob-cache.ts'
import { bucketMark, bucketObjects, s3Blobs } from './s3/s3-blobs.ts'
import { segmentBlobs } from './segment-blobs.ts'

export type BlobPlace = {
  /** For people, without a password. */
  name: string
  mark: StoreMark
  /** `checkMark`: called where an empty place may have taken the place of ours. @throws BlobStoreAway */
  open(checkMark?: () => Promise<void>): BlobStore
  /** @throws BlobStoreAway when nothing can be written; a full disk is handled elsewhere (decision 032) */
  probe(): Promise<void>
  /** The files of the place as they are, for a move to another one. */
  objects: PlaceObjects
}

/** Left free on a disk that fills up: for the write-ahead log of our own PostgreSQL, and for the operator's cleanup. */
const DATABASE_RESERVE_BYTES = 100_000_000

export type PlaceConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'blobs'>

/** Where blobs are written. */
export const blobPlace = (config: PlaceConfig): BlobPlace => placeAt(config, config.blobs.url)

/** Where blobs were before; null: they do not move. */
export const formerPlace = (config: PlaceConfig): BlobPlace | null =>
  config.blobs.from === null ? null : placeAt(config, config.blobs.from)

/** The store of this installation, without a check of its mark: for verbs beside a running program. */
export const openStore = (config: PlaceConfig, checkMark?: () => Promise<void>): BlobStore => {
  const [store, former] = [blobPlace(config).open(checkMark), formerPlace(config)]
  return former === null ? store : readFromBoth(store, former.open())
}

/** `url`: null or 'files' is the folder in DATA_DIR. */
const placeAt = (config: PlaceConfig, url: string | null): BlobPlace => {
  const reserveBytes = config.databaseUrl === null ? DATABASE_RESERVE_BYTES : 0
  return url === null || url === 'files'
    ? folderPlace(join(config.dataDir, 'blobs'), reserveBytes)
    : bucketPlace(url, config, reserveBytes)
}

export const folderPlace = (folder: string, reserveBytes = 0): BlobPlace => ({
  name: folder,
  mark: fileMark(folder),
  open: (checkMark) => segmentBlobs(folder, { reserveBytes, ...(checkMark && { checkMark }) }),
  probe: async () => {
    const file = join(folder, `.${randomUUID()}.part`)
    try {
      await writeFile(file, '', { mode: 0o600 })
      await unlink(file)
    } catch (error) {
      if (!isDiskFull(error)) throw new BlobStoreAway(reasonOf(error), { cause: error })
    }
  },
  objects: folderObjects(folder),
})

const bucketPlace = (url: string, config: PlaceConfig, reserveBytes: number): BlobPlace => {
  const bucket = asBlobBucket(openBucket(url))
  const mark = bucketMark(bucket)
  return {
    name: bucket.title,
    mark,
    open: (checkMark = async () => {}) =>
      s3Blobs(bucket, {
        cache: blobCache(join(config.dataDir, 'blob-cache'), config.blobs.cacheBytes),
        checkMark,
        reserve: reserveBytes === 0 ? null : { folder: config.dataDir, bytes: reserveBytes },
      }),
    // Its mark is read at each look; a bucket that can only be read is noticed at the first mail.
    probe: async () => {},
    objects: bucketObjects(bucket),
  }
}
