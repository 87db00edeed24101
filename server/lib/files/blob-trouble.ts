/** What goes wrong with blobs, whoever keeps them: all of them out of reach for now, or one of them lost. */

/** The store cannot be reached, written to, or is another one than ours. */
export class BlobStoreAway extends Error {
  override name = 'BlobStoreAway'
  readonly code = 'BLOB_STORE_AWAY'
}

/** A row names it, and the store, which is ours and there, does not have it as it was. */
export class BlobMissing extends Error {
  override name = 'BlobMissing'
  readonly code = 'BLOB_MISSING'
  readonly hash: string

  constructor(hash: string, how: 'missing' | 'damaged') {
    super(`blob ${hash} is ${how}`)
    this.hash = hash
  }
}
