/** Archives in the bucket of BLOB_URL, where the processes of all hosts find them, in parts that are numbered. */
import { open } from 'node:fs/promises'
import { type Bucket, openBucket } from '#server/lib/remote/bucket.ts'
import { asBlobBucket } from '#server/storage/blobs/s3/as-blob-bucket.ts'

const FOLDER = 'exports/'
const PART_BYTES = 16_000_000

/** Like the blobs beside it, it is away or there. */
const bucketAt = (url: string): Bucket => asBlobBucket(openBucket(url))

const partKey = (id: string, n: number): string => `${FOLDER}${id}/${String(n).padStart(6, '0')}`

/** Uploads the file. `onPart` is called before each part. @returns its size */
export const keepInBucket = async (
  url: string,
  { id, path }: { id: string; path: string },
  onPart: () => Promise<void>,
): Promise<number> => {
  const bucket = bucketAt(url)
  // A try that was killed may have left more parts than this one has.
  await removeFromBucket(url, id)
  const file = await open(path)
  try {
    const part = Buffer.allocUnsafeSlow(PART_BYTES)
    for (let n = 0, size = 0; ; n++) {
      const { bytesRead } = await file.read(part, 0, PART_BYTES, size)
      if (bytesRead === 0) return size
      await onPart()
      await bucket.put(partKey(id, n), part.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** null: it is not there. Each part is read on demand. */
export const openInBucket = async (url: string, id: string) => {
  const bucket = bucketAt(url)
  const parts = await Array.fromAsync(bucket.list(`${FOLDER}${id}/`))
  if (parts.length === 0) return null
  return {
    size: parts.reduce((sum, { size }) => sum + size, 0),
    pieces: () => piecesOf(bucket, parts),
  }
}

async function* piecesOf(bucket: Bucket, parts: readonly { key: string; size: number }[]) {
  for (const { key, size } of parts) {
    const bytes = await bucket.get(key)
    if (bytes?.length !== size) throw new Error(`a part of an archive is gone: ${key}`)
    yield bytes
  }
}

export const removeFromBucket = async (url: string, id: string): Promise<void> => {
  const bucket = bucketAt(url)
  for await (const { key } of bucket.list(`${FOLDER}${id}/`)) await bucket.remove(key)
}

/** Ids of archives of which a part was written before this time. */
export const inBucketBefore = async (url: string, before: Date): Promise<string[]> => {
  const ids = new Set<string>()
  for await (const { key, writtenAt } of bucketAt(url).list(FOLDER)) {
    const [id] = key.slice(FOLDER.length).split('/')
    if (id !== undefined && writtenAt < before) ids.add(id)
  }
  return [...ids]
}
