/** The blobs that rows of any room refer to: one query for all rooms, so that none is forgotten. */
import { sql } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { outgoingBlobs } from '#server/features/outbox/ledger-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { keptBlobs, keptRows } from '../change-log/tombstones-store.ts'

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

/** What lost its bytes, for an operator, who sees no content. */
export type StruckBlob = {
  blob: string
  what: 'message' | 'deleted message' | 'outgoing mail' | 'file in a draft' | 'part of an import'
  /** The address; null: of no mailbox. */
  mailbox: string | null
  /** The sender and the date of a message. */
  from: string | null
  at: Date | null
}

/** All rows that name one of these blobs. */
export const rowsNaming = async (db: Db, names: readonly string[]): Promise<StruckBlob[]> => {
  const mailboxes = mailboxRows(db).as('mailboxes')
  const messages = await db
    .selectFrom('messages')
    .innerJoin(mailboxes, 'mailboxes.id', 'messages.mailboxId')
    .select(['blob', 'email as mailbox', 'mailFrom as from', 'date as at'])
    .where('blob', 'in', names)
    .orderBy('messages.id')
    .execute()
  const kept = await db
    .selectFrom(keptRows(db).as('kept'))
    .innerJoin(mailboxes, 'mailboxes.id', 'kept.mailboxId')
    .select(['kept.blob', 'email as mailbox', 'kept.at'])
    .where('kept.blob', 'in', names)
    .execute()
  const others = await outgoingBlobs(db)
    .select(sql<StruckBlob['what']>`'outgoing mail'`.as('what'))
    .where('blob', 'in', names)
    .unionAll(
      db
        .selectFrom('uploads')
        .select(['blob', sql<StruckBlob['what']>`'file in a draft'`.as('what')])
        .where('blob', 'in', names),
    )
    .unionAll(
      db
        .selectFrom('mailImportChunks')
        .select(['blob', sql<StruckBlob['what']>`'part of an import'`.as('what')])
        .where('blob', 'in', names),
    )
    .execute()
  return [
    ...messages.map((row) => ({ ...row, what: 'message' as const })),
    ...kept.map((row) => ({ ...row, what: 'deleted message' as const, from: null })),
    ...others.map((row) => ({ ...row, mailbox: null, from: null, at: null })),
  ]
}
