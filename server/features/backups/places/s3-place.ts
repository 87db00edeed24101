import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'
import { openBucket } from '#server/lib/remote/bucket.ts'
import { BUCKET_URL, readBucketUrl } from '#server/lib/remote/bucket-url.ts'
import type { BackupPlace } from './place.ts'

/** A bucket may be away for a moment, and nobody waits for a backup. */
const TRY_MS = 20_000
/** Backups go far, and to where room is cheap. */
const LEAST = { up: 10_000, down: 10_000 }

/** Backups in a bucket. @throws StartError for an address that names none */
export const s3Place = (text: string): BackupPlace => {
  if (readBucketUrl(text) === null)
    throw new StartError(`A bucket is named like this: ${BUCKET_URL}`)
  const bucket = openBucket(text, { tryMs: TRY_MS, leastBytesPerSecond: LEAST })
  const { title } = bucket
  return {
    title,
    read: (name) => naming(title, bucket.get(name)),
    write: (name, bytes) => naming(title, bucket.put(name, bytes)),
    list: (inside) => naming(title, keysOf(bucket.list(`${inside}/`))),
    remove: (name) => naming(title, bucket.remove(name)),
  }
}

const keysOf = async (objects: AsyncIterable<{ key: string }>): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of objects) keys.push(key)
  return keys.toSorted()
}

/** @throws StartError with what the store said */
const naming = async <T>(title: string, act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    throw new StartError(`The backup place ${title} cannot be used: ${reasonOf(error)}.`)
  }
}
