/** The errors of a blob store: the whole store is unavailable, or one blob is lost. */

/** The store cannot be reached or written to, or it belongs to another installation. */
export class BlobStoreAway extends Error {
  override name = 'BlobStoreAway'
  readonly code = 'BLOB_STORE_AWAY'
}

/** A row names the blob, but the store does not have it, or has a damaged copy. */
export class BlobMissing extends Error {
  override name = 'BlobMissing'
  readonly code = 'BLOB_MISSING'
  readonly hash: string
  readonly how: 'missing' | 'damaged'

  constructor(hash: string, how: 'missing' | 'damaged') {
    super(`blob ${hash} is ${how}`)
    this.hash = hash
    this.how = how
  }
}
