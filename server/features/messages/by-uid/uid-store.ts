/** Messages of a folder by their uids. Callers have checked that the mailbox may be read. */
import { sql } from 'kysely'
import {
  type FolderName,
  type FolderState,
  folderRows,
  folderWithLog,
  type Reading,
} from '#server/features/mailboxes/folder-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { columnsOf } from '#server/storage/raw-rows.ts'
import { type FolderPlace, messagesByUid } from '../structures/structures-store.ts'
import { type FlagsRow, flagNames } from './message-flags.ts'

/** Conditions of a query of messages `m` in this folder. */
export const isIn = ({ workspaceId, mailboxId, folderId }: FolderPlace) =>
  sql`m.workspace_id = ${workspaceId} and m.mailbox_id = ${mailboxId} and m.folder_id = ${folderId}`

export const flagColumns = ['id', 'uid', 'modseq', ...flagNames, 'keywords'] as const

const flagsOfM = columnsOf('m', flagColumns)

/** As text, which is read many times quicker than as many numbers. */
const readUids = (text: string | null | undefined): Uint32Array =>
  text ? Uint32Array.from(text.split(','), Number) : new Uint32Array()

/**
 * In order. Workspace and mailbox are those of the folder's row, so that nothing but the index of folder and uid is read.
 */
export const uidsIn = async (
  db: Db,
  { workspaceId, mailboxId, folderId }: FolderPlace,
): Promise<Uint32Array> => {
  const { rows } = await sql<{ uids: string | null }>`
    select string_agg(m.uid::text, ',' order by m.uid) as uids
    from ${folderRows(db)} f join messages m on m.folder_id = f.id and m.workspace_id = f.workspace_id
    where f.workspace_id = ${workspaceId} and f.mailbox_id = ${mailboxId} and f.id = ${folderId}`.execute(
    db,
  )
  return readUids(rows[0]?.uids)
}

export type Opening = FolderState & {
  /** null: the user may not read the mailbox. */
  readerId: string | null
  /** Of the mailbox. */
  modseq: number
  uids: Uint32Array
  /** 0: all are read. */
  firstUnread: number
  keywords: string[]
}

/** All that a client is told of a folder when it opens it, in one statement and so of one moment. */
export const openingOf = async (
  db: Db,
  place: Reading,
  named: FolderName,
): Promise<Opening | undefined> => {
  const { workspaceId, mailboxId } = place
  const { rows } = await sql<Omit<Opening, 'uids'> & { uids: string | null }>`
    select f.*,
      (select string_agg(m.uid::text, ',' order by m.uid) from messages m where m.folder_id = f.id) as uids,
      -- The subquery is read by the index of unread mail, however far behind the first one is.
      case when f.unread_count = 0 then 0 else (
        select min(unread.uid) from (
          select m.uid from messages m
          where m.workspace_id = ${workspaceId} and m.mailbox_id = ${mailboxId} and m.folder_id = f.id and not m.is_read offset 0
        ) as unread
      ) end as first_unread,
      array(
        select k.keyword from mailbox_keywords k
        where k.workspace_id = ${workspaceId} and k.mailbox_id = ${mailboxId} order by k.place
      ) as keywords
    from (${folderWithLog(place, named)}) f`.execute(db)
  const [found] = rows
  return found && { ...found, firstUnread: found.firstUnread ?? 0, uids: readUids(found.uids) }
}

/** In the order of uids; those that are gone are left out. */
export const flagsOf = async (
  db: Db,
  place: FolderPlace,
  uids: readonly number[],
): Promise<FlagsRow[]> => {
  const { rows } = await sql<FlagsRow>`
    select ${flagsOfM} from ${messagesByUid(place, uids)} where ${isIn(place)}
    order by m.uid`.execute(db)
  return rows
}

/** The highest modseq of these messages; 0: none is there. */
export const highestOf = async (
  db: Db,
  place: FolderPlace,
  uids: readonly number[],
): Promise<number> => {
  const { rows } = await sql<{ highest: number | null }>`
    select max(m.modseq) as highest from ${messagesByUid(place, uids)} where ${isIn(place)}`.execute(
    db,
  )
  return rows[0]?.highest ?? 0
}

/** Messages of the folder that came or changed after this modseq, in the order of uids. */
export const changedIn = async (
  db: Db,
  place: FolderPlace,
  modseq: number,
): Promise<FlagsRow[]> => {
  const { rows } = await sql<FlagsRow>`
    select ${flagsOfM} from messages m where ${isIn(place)} and m.modseq > ${modseq}
    order by m.uid`.execute(db)
  return rows
}

/** The uids that left the folder after this modseq, in order. */
export const goneFrom = async (
  db: Db,
  { workspaceId, mailboxId, folderId }: FolderPlace,
  modseq: number,
): Promise<number[]> => {
  const { rows } = await sql<{ uids: string | null }>`
    select string_agg(uid::text, ',' order by uid) as uids from (
      select distinct uid from tombstones
      where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and folder_id = ${folderId} and modseq > ${modseq}
    ) as gone`.execute(db)
  return [...readUids(rows[0]?.uids)]
}

export type FolderUse = { folderId: string; bytes: number; deleted: number }

/** Bytes, and messages that are marked deleted, of each folder that has messages. */
export const useOfFolders = async (
  db: Db,
  { workspaceId, mailboxId }: Omit<FolderPlace, 'folderId'>,
): Promise<FolderUse[]> => {
  const { rows } = await sql<FolderUse>`
    select m.folder_id, sum(m.size_bytes)::bigint as bytes, count(*) filter (where m.is_deleted) as deleted
    from messages m where m.workspace_id = ${workspaceId} and m.mailbox_id = ${mailboxId} group by m.folder_id`.execute(
    db,
  )
  return rows
}

/** The caller has locked the mailbox and counted what was read. Arrays: a change of thousands is one statement. */
export const writeFlags = async (
  tx: Db,
  rows: readonly FlagsRow[],
  modseq: number,
): Promise<void> => {
  const of = <Name extends keyof FlagsRow>(name: Name) => rows.map((row) => row[name])
  // PostgreSQL has no arrays of arrays of different lengths.
  const keywords = rows.map((row) => JSON.stringify(row.keywords))
  await sql`
    update messages set is_read = given.is_read, is_starred = given.is_starred, is_answered = given.is_answered,
      is_draft = given.is_draft, is_deleted = given.is_deleted,
      keywords = array(select jsonb_array_elements_text(given.keywords::jsonb)), modseq = ${modseq}
    from unnest(${of('id')}::uuid[], ${of('isRead')}::boolean[], ${of('isStarred')}::boolean[], ${of('isAnswered')}::boolean[],
      ${of('isDraft')}::boolean[], ${of('isDeleted')}::boolean[], ${keywords}::text[])
      as given (id, is_read, is_starred, is_answered, is_draft, is_deleted, keywords)
    where messages.id = given.id`.execute(tx)
}
