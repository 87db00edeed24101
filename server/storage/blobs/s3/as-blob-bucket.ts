import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { type Bucket, BucketTrouble } from '#server/lib/remote/bucket.ts'

/** The same bucket, which throws BlobStoreAway for its troubles. */
export const asBlobBucket = (bucket: Bucket): Bucket => ({
  title: bucket.title,
  put: (key, bytes) => asking(bucket.put(key, bytes)),
  get: (key, range) => asking(bucket.get(key, range)),
  async *list(prefix, after) {
    try {
      yield* bucket.list(prefix, after)
    } catch (error) {
      throw awayOf(error)
    }
  },
  remove: (key) => asking(bucket.remove(key)),
})

const asking = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    throw awayOf(error)
  }
}

const awayOf = (error: unknown): unknown =>
  error instanceof BucketTrouble ? new BlobStoreAway(error.message, { cause: error }) : error
