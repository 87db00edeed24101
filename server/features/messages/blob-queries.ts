/** The blobs that rows of any room refer to: one query for all rooms, so that none is forgotten. */
import { sql } from 'kysely'
import { outgoingBlobs } from '#server/features/outbox/ledger-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { keptBlobs } from './change-log/tombstones-store.ts'

/** The names of blobs in this segment (decision 088) to which rows refer. */
export const blobsInSegment = async (db: Db, segment: string): Promise<string[]> => {
  const isInside = sql<boolean>`blob ~>=~ ${`${segment}.`} and blob ~<~ ${`${segment}/`}`
  const rows = await db
    .selectFrom('messages')
    .select('blob')
    .where(isInside)
    .union(keptBlobs(db).where(isInside))
    .union(outgoingBlobs(db).where(isInside))
    .union(db.selectFrom('uploads').select('blob').where(isInside))
    .union(db.selectFrom('mailImportChunks').select('blob').where(isInside))
    .execute()
  return rows.map(({ blob }) => blob)
}

/**
 * Lets stored and deleted messages name the same bytes at their new places. It waits for no lock: a row that is changed just now
 * keeps the old name, which stays right.
 */
export const renameBlobs = async (
  db: Db,
  names: readonly { old: string; now: string }[],
): Promise<void> => {
  const [old, now] = [names.map((each) => each.old), names.map((each) => each.now)]
  const renamed = sql`unnest(${old}::text[], ${now}::text[]) as renamed (old, now)`
  await sql`
    with free as (
      select m.id, renamed.now from ${renamed} join messages m on m.blob = renamed.old for update of m skip locked
    )
    update messages set blob = free.now from free where messages.id = free.id`.execute(db)
  await sql`
    with free as (
      select t.mailbox_id, t.modseq, t.folder_id, t.uid, renamed.now
      from ${renamed} join tombstones t on t.blob = renamed.old for update of t skip locked
    )
    update tombstones t set blob = free.now from free
    where t.mailbox_id = free.mailbox_id and t.modseq = free.modseq and t.folder_id = free.folder_id and t.uid = free.uid`.execute(
    db,
  )
}

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
