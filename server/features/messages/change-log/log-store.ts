/** The change log, rows of `messages` by modseq and tombstones: how it is read, and what of it is forgotten. */
import { sql } from 'kysely'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { Place } from '../bulk-store.ts'
import { type SummaryRow, summaryOfM } from '../message-queries.ts'

/** A position in the log: everything up to this modseq, and of the next change everything up to this id. */
export type LogPosition = { modseq: number; id: string }

export type ChangedRow = SummaryRow & { threadId: string; modseq: number }
export type GoneRow = { messageId: string; folderId: string; modseq: number }

/**
 * At most `limit` of each kind after the position, in the order of (modseq, id). The caller reads in one snapshot
 * (`repeatable read`), so that a message that moves is found at its old place or at its new one.
 */
export const changedAfter = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  { modseq, id }: LogPosition,
  limit: number,
): Promise<{ changed: ChangedRow[]; gone: GoneRow[] }> => {
  const { rows: changed } = await sql<ChangedRow>`
    select ${summaryOfM}, m.thread_id, m.modseq from messages m
    where m.workspace_id = ${workspaceId} and m.mailbox_id = ${mailboxId} and (m.modseq, m.id) > (${modseq}, ${id}::uuid)
    order by m.modseq, m.id limit ${limit}`.execute(db)
  const { rows: gone } = await sql<GoneRow>`
    select message_id, folder_id, modseq from tombstones
    where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and (modseq, message_id) > (${modseq}, ${id}::uuid)
      and modseq >= ${modseq}
    order by modseq, message_id limit ${limit}`.execute(db)
  return { changed, gone }
}

/**
 * The messages that changed after a modseq or left a folder, with their conversations, at most `limit` of each. What was deleted
 * without being kept (the saves of a draft) is a conversation of its own.
 */
export const touchedAfter = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  modseq: number,
  limit: number,
): Promise<{ id: string; threadId: string }[]> => {
  const { rows } = await sql<{ id: string; threadId: string }>`
    (select id, thread_id from messages
      where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and modseq > ${modseq}
      order by modseq limit ${limit})
    union
    (select message_id, coalesce((kept ->> 'thread_id')::uuid, message_id) from tombstones
      where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and modseq > ${modseq}
      order by modseq limit ${limit})`.execute(db)
  return rows
}

/** The mailboxes with the oldest tombstones from before this time, in the order in which they are locked. */
export const mailboxesToForget = async (db: Db, before: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom((of) =>
      of
        .selectFrom('tombstones')
        .select('mailboxId')
        .where('at', '<', before)
        .orderBy('at')
        .limit(limit)
        .as('old'),
    )
    .select('mailboxId')
    .distinct()
    .orderBy('mailboxId')
    .execute()
  return rows.map(({ mailboxId }) => mailboxId)
}

/** Deletes a mailbox's tombstones from before this time. The caller has locked the mailbox. @returns the last modseq that is lost. */
export const forgetTombstones = async (
  tx: Db,
  mailboxId: string,
  before: Date,
): Promise<number | null> => {
  const { rows } = await sql<{ modseq: number | null }>`
    with gone as (
      delete from tombstones where mailbox_id = ${mailboxId} and at < ${before} returning modseq
    )
    select max(modseq) as modseq from gone`.execute(tx)
  return rows[0]?.modseq ?? null
}

/**
 * Frees the bytes of the oldest deleted messages of each workspace that keeps more of them than its storage quota: without this
 * limit a mailbox that fills and deletes would fill the disk.
 */
export const freeKeptBytes = async (db: Db): Promise<void> => {
  await sql`
    with full_ones as (
      select workspace_id, max(quotas.storage_quota_bytes) as quota
      from tombstones join ${workspaceRows(db)} quotas on quotas.id = workspace_id
      where blob is not null
      group by workspace_id having sum(size_bytes) > max(quotas.storage_quota_bytes)
    ), each as (
      select mailbox_id, modseq, folder_id, uid, quota,
        sum(size_bytes) over (partition by workspace_id order by at desc, mailbox_id, modseq desc, uid) as bytes
      from tombstones join full_ones using (workspace_id) where blob is not null
    )
    update tombstones set blob = null, kept = null from each
    where each.bytes > each.quota and tombstones.mailbox_id = each.mailbox_id and tombstones.modseq = each.modseq
      and tombstones.folder_id = each.folder_id and tombstones.uid = each.uid`.execute(db)
}
