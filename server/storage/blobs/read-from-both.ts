import { BlobMissing } from '../../lib/files/blob-trouble.ts'
import type { BlobStore } from './blobs.ts'

/** Writes to the first store, and reads from the second what the first does not have: for the time of a move (decision 131). */
export const readFromBoth = (store: BlobStore, former: BlobStore): BlobStore => {
  const either = async <T>(read: (from: BlobStore) => Promise<T>): Promise<T> => {
    try {
      return await read(store)
    } catch (error) {
      if (!(error instanceof BlobMissing && error.how === 'missing')) throw error
      return read(former)
    }
  }
  return {
    ...store,
    get: (name) => either((from) => from.get(name)),
    stored: (name) => either((from) => from.stored(name)),
    open: (name) => either((from) => from.open(name)),
    range: (name, range, sums) => either((from) => from.range(name, range, sums)),
    has: async (name) => (await store.has(name)) || former.has(name),
    close: async () => {
      await store.close()
      await former.close()
    },
  }
}
