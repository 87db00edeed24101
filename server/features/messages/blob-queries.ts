/** The blobs that rows of any room refer to: one query for all rooms, so that none is forgotten. */
import { outgoingBlobs } from '#server/features/outbox/ledger-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { keptBlobs } from './change-log/tombstones-store.ts'

/** Those of these blobs that a row refers to. */
export const blobsInUse = async (db: Db, hashes: readonly string[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('messages')
    .select('blob')
    .where('blob', 'in', hashes)
    .union(keptBlobs(db).where('blob', 'in', hashes))
    .union(outgoingBlobs(db).where('blob', 'in', hashes))
    .union(db.selectFrom('uploads').select('blob').where('blob', 'in', hashes))
    .union(db.selectFrom('mailImportChunks').select('blob').where('blob', 'in', hashes))
    .execute()
  return new Set(rows.map(({ blob }) => blob))
}
