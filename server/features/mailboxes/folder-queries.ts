/** Folders and their counters, which every change of mail updates. */
import { type Selectable, sql } from 'kysely'
import type { FolderRole } from '#contract/messages.ts'
import type { Db } from '#server/storage/database.ts'
import { columnsOf } from '#server/storage/raw-rows.ts'
import type { FoldersTable } from '#server/storage/rows/mailbox-tables.ts'

type Place = { workspaceId: string; mailboxId: string }

export const folderColumns = ['id', 'role', 'name', 'messageCount', 'unreadCount'] as const

export type FolderRow = Pick<Selectable<FoldersTable>, (typeof folderColumns)[number]>

export const folderRows = (db: Db) =>
  db.selectFrom('folders').select(['workspaceId', 'mailboxId', ...folderColumns])

export const foldersOf = (db: Db, workspaceId: string, mailboxId: string): Promise<FolderRow[]> =>
  db
    .selectFrom('folders')
    .select(folderColumns)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .orderBy('name')
    .execute()

const stateColumns = [
  ...folderColumns,
  ...(['uidValidity', 'uidNext', 'highestModseq', 'isSubscribed'] as const),
] as const

/** What mail programs ask of a folder (RFC 9051 §6.3.11). */
export type FolderState = Pick<Selectable<FoldersTable>, (typeof stateColumns)[number]>

const stateOfF = columnsOf('f', stateColumns)

/** In the order of their names. `folderId`: only of this one. Raw text, as mail programs ask for it all the time. */
export const folderStates = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  folderId?: string,
): Promise<FolderState[]> => {
  const { rows } = await sql<FolderState>`
    select ${stateOfF} from folders f where f.workspace_id = ${workspaceId} and f.mailbox_id = ${mailboxId}
      ${folderId === undefined ? sql`` : sql`and f.id = ${folderId}`}
    order by f.name`.execute(db)
  return rows
}

export type Reading = Place & { userId: string; now: Date }

const readersOf = ({ mailboxId, userId, now }: Omit<Reading, 'workspaceId'>) => sql`
  from mailbox_readers r
  where r.mailbox_id = ${mailboxId} and r.user_id = ${userId} and (r.ends_at is null or r.ends_at > ${now})`

/** The id of the reader as `reader_id`, null where the user may not read the mailbox. */
const readerId = (reading: Reading) => sql`(select r.user_id ${readersOf(reading)}) as reader_id`

/** A condition: the user may read the mailbox. */
export const isReadable = (reading: Reading) => sql<boolean>`exists (select ${readersOf(reading)})`

/** Like `folderStates`, each with the reader. One row without a folder where the mailbox has none like that; none without a mailbox. */
export const readableFolders = async (
  db: Db,
  reading: Reading,
  folderId?: string,
): Promise<(FolderState & { readerId: string | null })[]> => {
  const { rows } = await sql<FolderState & { readerId: string | null }>`
    select ${stateOfF}, ${readerId(reading)} from mailboxes b
      left join folders f on f.workspace_id = b.workspace_id and f.mailbox_id = b.id
        ${folderId === undefined ? sql`` : sql`and f.id = ${folderId}`}
    where b.workspace_id = ${reading.workspaceId} and b.id = ${reading.mailboxId}
    order by f.name`.execute(db)
  return rows
}

/** A name is never that of the Inbox, which is known by its role. */
export type FolderName = { folderId: string } | { role: 'inbox' } | { name: string }

const isNamed = (named: FolderName) => {
  if ('folderId' in named) return sql`f.id = ${named.folderId}`
  if ('role' in named) return sql`f.role = ${named.role}`
  return sql`f.name = ${named.name} and f.role is distinct from 'inbox'`
}

/** One folder with its reader and the end of its mailbox's log, for a statement that reads all of it at one moment. */
export const folderWithLog = (reading: Reading, named: FolderName) => sql`
  select ${stateOfF}, b.modseq, ${readerId(reading)} from folders f
    join mailboxes b on b.id = f.mailbox_id and b.workspace_id = f.workspace_id
  where f.workspace_id = ${reading.workspaceId} and f.mailbox_id = ${reading.mailboxId} and ${isNamed(named)}`

export const writeSubscription = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  id: string,
  isSubscribed: boolean,
): Promise<void> => {
  await db
    .updateTable('folders')
    .set({ isSubscribed })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .execute()
}

export const insertFolder = (
  db: Db,
  place: Place,
  folder: { id: string; name: string },
): Promise<FolderRow> =>
  db
    .insertInto('folders')
    .values({ ...place, ...folder, role: null })
    .returning(folderColumns)
    .executeTakeFirstOrThrow()

export const writeName = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  id: string,
  name: string,
): Promise<FolderRow> =>
  db
    .updateTable('folders')
    .set({ name })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .returning(folderColumns)
    .executeTakeFirstOrThrow()

export const removeFolder = async (db: Db, place: Place, id: string): Promise<void> => {
  await db
    .deleteFrom('folders')
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', id)
    .execute()
}

export type FolderChange = { messages: number; unread: number; uids: number }

/**
 * Every change in a folder takes the next modseq of the mailbox (RFC 7162), and each new message a uid; returns the last of both.
 * The mailbox's row is locked until the commit, so modseqs are committed in their order. Messages that leave: `leaveFolder`.
 */
export const touchFolder = (db: Db, folderId: string, change: FolderChange) =>
  db
    .with('box', (rows) =>
      rows
        .updateTable('mailboxes')
        .set((set) => ({ modseq: set('modseq', '+', 1) }))
        .where('id', '=', (of) =>
          of.selectFrom('folders').select('mailboxId').where('id', '=', folderId),
        )
        .returning('modseq'),
    )
    .updateTable('folders')
    .from('box')
    .set((set) => ({
      uidNext: set('uidNext', '+', change.uids),
      highestModseq: set.ref('box.modseq'),
      messageCount: set('messageCount', '+', change.messages),
      unreadCount: set('unreadCount', '+', change.unread),
    }))
    .where('folders.id', '=', folderId)
    .returning(['folders.highestModseq as modseq', sql<number>`uid_next - 1`.as('uid')])
    .executeTakeFirstOrThrow()

type Arriving = ({ folderRole: FolderRole } | { folderId: string }) & {
  mailboxId: string
  sizeBytes: number
  isRead: boolean
}

/**
 * The beginning of the statement that files a message: updates the counters of mailbox and folder, in this lock order. The rest
 * of the statement uses the rows `box` (id, workspace_id, modseq) and `folder` (id, uid, modseq); both empty without the mailbox.
 */
export const countIncoming = (message: Arriving) => {
  const isMeant =
    'folderId' in message
      ? sql`folders.id = ${message.folderId}`
      : sql`folders.role = ${message.folderRole}`
  return sql`box as (
      update mailboxes set used_bytes = used_bytes + ${message.sizeBytes}, modseq = modseq + 1
      where id = ${message.mailboxId} returning id, workspace_id, modseq, email
    ), folder as (
      update folders set
        uid_next = uid_next + 1,
        highest_modseq = box.modseq,
        message_count = message_count + 1,
        unread_count = unread_count + ${message.isRead ? 0 : 1}
      from box where folders.mailbox_id = box.id and ${isMeant}
      returning folders.id, folders.role, folders.uid_next - 1 as uid, folders.highest_modseq as modseq
    )`
}

/** The mailbox's modseq, and the last one of which tombstones may be missing (decision 086). */
export const readLogEnds = (db: Db, { workspaceId, mailboxId }: Place) =>
  db
    .selectFrom('mailboxes')
    .select(['modseq', 'forgottenModseq'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .executeTakeFirst()

export const noteForgotten = async (db: Db, mailboxId: string, modseq: number): Promise<void> => {
  await db
    .updateTable('mailboxes')
    .set(({ fn, ref, val }) => ({
      forgottenModseq: fn<number>('greatest', [ref('forgottenModseq'), val(modseq)]),
    }))
    .where('id', '=', mailboxId)
    .execute()
}
