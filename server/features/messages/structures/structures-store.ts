import { sql } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { WrittenStructure } from '#server/standards/imap-texts/write-structure.ts'
import type { Db } from '#server/storage/database.ts'

export type MailboxPlace = { workspaceId: string; mailboxId: string }
export type FolderPlace = MailboxPlace & { folderId: string }

/** A part of the statement that files a message: `box` and `folder` are its rows of the mailbox and the folder. */
export const keepStructure = (id: string, written: WrittenStructure) => sql`, structure as (
      insert into message_structures (mailbox_id, message_id, workspace_id, structure, envelope, body_structure)
      select box.id, ${id}, box.workspace_id, ${written.structure}, ${written.envelope}, ${written.bodyStructure}
      from box, folder
    )`

export type StoredStructure = {
  id: string
  uid: number
  blob: string
  sizeBytes: number
  /** null: not written yet. */
  structure: string | null
}

/**
 * Messages `m` with these uids, in place of a table. Nothing but the index of folder and uid fits in here. With the mailbox beside
 * them, PostgreSQL takes folder and mailbox for independent of each other, and reads both whole by two other indexes: 40,000 rows of a
 * large folder for each message that is opened.
 */
export const messagesByUid = (place: FolderPlace, uids: readonly number[]) => {
  const wanted = new Set(uids)
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const uid of wanted) [first, last] = [Math.min(first, uid), Math.max(last, uid)]
  // A statement that reads a range is many times quicker than one that looks for each.
  return last - first + 1 === wanted.size
    ? messagesBetween(place, first, last)
    : sql`(
        select each.* from unnest(${[...wanted]}::bigint[]) as wanted (uid) cross join lateral (
          select * from messages where folder_id = ${place.folderId} and uid = wanted.uid offset 0
        ) each
      ) m`
}

/** The same, with uids from `first` to `last`. */
export const messagesBetween = ({ folderId }: FolderPlace, first: number, last: number) => sql`(
    select * from messages where folder_id = ${folderId} and uid between ${first}::bigint and ${last}::bigint offset 0
  ) m`

/** In the order of uids; those that are not in the folder are left out. A join would read all structures of a large mailbox. */
export const structuresByUid = async (
  db: Db,
  place: FolderPlace,
  uids: readonly number[],
): Promise<StoredStructure[]> => {
  const { rows } = await sql<StoredStructure>`
    select m.id, m.uid, m.blob, m.size_bytes as "sizeBytes",
      (select s.structure from message_structures s where s.mailbox_id = m.mailbox_id and s.message_id = m.id) as structure
    from ${messagesByUid(place, uids)}
    where m.workspace_id = ${place.workspaceId} and m.mailbox_id = ${place.mailboxId}
    order by m.uid`.execute(db)
  return rows
}

export const storedStructure = async (
  db: Db,
  { workspaceId, mailboxId }: MailboxPlace,
  messageId: string,
): Promise<string | null> => {
  const row = await db
    .selectFrom('messageStructures')
    .select('structure')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('messageId', '=', messageId)
    .executeTakeFirst()
  return row?.structure ?? null
}

export type ReadStructure = WrittenStructure & { id: string }

/** It waits for no lock: what is deleted or moved to another workspace just now gets its structure the next time. */
export const writeStructures = async (db: Db, read: readonly ReadStructure[]): Promise<void> => {
  const of = (name: keyof ReadStructure) => read.map((each) => each[name])
  const ids = of('id')
  await sql`
    with open as (
      select m.id, m.mailbox_id, m.workspace_id
      from messages m join ${mailboxRows(db)} box
        on box.id = m.mailbox_id and box.workspace_id = m.workspace_id
      where m.id = any(${ids}::uuid[])
      for key share of m, box skip locked
    )
    insert into message_structures (mailbox_id, message_id, workspace_id, structure, envelope, body_structure)
    select open.mailbox_id, open.id, open.workspace_id, read.structure, read.envelope, read.body_structure
    from open join unnest(${ids}::uuid[], ${of('structure')}::text[], ${of('envelope')}::text[], ${of('bodyStructure')}::text[])
      as read (id, structure, envelope, body_structure) on read.id = open.id
    on conflict on constraint message_structures_pkey do update
      set envelope = excluded.envelope, body_structure = excluded.body_structure
      where message_structures.envelope is null`.execute(db)
}

/** All messages of this id and above have a structure; undefined when all have, or another process writes them now. */
export const lockFilling = async (tx: Db): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('structureFilling')
      .select('below')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
  )?.below

export const noteFilled = async (tx: Db, below: string): Promise<void> => {
  await tx.updateTable('structureFilling').set({ below }).execute()
}

export const endFilling = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('structureFilling').execute()
}

type UnreadMail = {
  id: string
  workspaceId: string
  blob: string
  isRead: boolean
  /** Written by an earlier version, without the ready texts; null: not written. */
  structure: string | null
}

/** Newest first: at most `limit`, and about `mostBytes` of those that wait for their structure. */
export const nextUnread = async (
  tx: Db,
  { below, limit, mostBytes }: { below: string; limit: number; mostBytes: number },
): Promise<UnreadMail[]> => {
  const { rows } = await sql<UnreadMail>`
    select id, "workspaceId", blob, "isRead", structure from (
      select m.id, m.workspace_id as "workspaceId", m.blob, s.envelope is not null as "isRead",
        case when s.envelope is null then s.structure end as structure,
        sum(case when s.message_id is null then m.size_bytes else 0 end)
          over (order by m.id desc rows unbounded preceding exclude current row) as bytes_before
      from (select * from messages where id < ${below} order by id desc limit ${limit}) m
      left join message_structures s
        on s.mailbox_id = m.mailbox_id and s.message_id = m.id and s.workspace_id = m.workspace_id
    ) as next where coalesce(bytes_before, 0) < ${mostBytes} order by id desc`.execute(tx)
  return rows
}
