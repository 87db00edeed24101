/** Messages that can be had back: the tombstones of those deleted for good (decision 086), and those in Trash whose folder was deleted. */
import { sql } from 'kysely'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import type { Place } from './bulk-store.ts'

type Kept = {
  subject: string
  from: { name: string; address: string } | null
  to: { name: string; address: string }[]
  date: string
  is_read: boolean
  is_starred: boolean
  is_answered: boolean
  is_draft: boolean
  keywords: string[]
  mail_from: string
  /** The name of the folder that it lost when that was deleted; absent in rows of before. */
  left_folder?: string | null
}

export type DeletedRow = {
  messageId: string
  /** It is not deleted: it came to Trash with its folder. */
  isInTrash: boolean
  folderId: string
  at: Date
  sizeBytes: number
  blob: string
  kept: Kept
}

const isRecoverable = ({ workspaceId, mailboxId }: Place) => sql`
  workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and blob is not null`

const tombstone = sql`message_id, folder_id, at, size_bytes, blob, kept, false as is_in_trash`
const inTrash = sql`
  id as message_id, folder_id, saved_at as at, size_bytes, blob,
  jsonb_build_object('subject', subject, 'from', "from", 'to', "to", 'date', date, 'left_folder', left_folder) as kept,
  true as is_in_trash`

const isLeft = ({ workspaceId, mailboxId }: Place) => sql`
  workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and left_folder is not null`

/** The last one first. Each half is read by its index and cut before they are put together. */
export const readDeleted = async (
  db: Db,
  place: Place,
  after: PagePosition | null,
  limit: number,
): Promise<DeletedRow[]> => {
  const [isAfter, isLeftAfter] =
    after === null
      ? [sql``, sql``]
      : [
          sql`and (at, message_id) < (${after.at}, ${after.id}::uuid)`,
          sql`and (saved_at, id) < (${after.at}, ${after.id}::uuid)`,
        ]
  const { rows } = await sql<DeletedRow>`
    select * from (
      (select ${tombstone} from tombstones
        where ${isRecoverable(place)} ${isAfter} order by at desc, message_id desc limit ${limit})
      union all
      (select ${inTrash} from messages
        where ${isLeft(place)} ${isLeftAfter} order by saved_at desc, id desc limit ${limit})
    ) deleted order by at desc, message_id desc limit ${limit}`.execute(db)
  return rows
}

/** Those of these that can still be had back. */
export const findDeleted = async (
  db: Db,
  place: Place,
  ids: readonly string[],
): Promise<DeletedRow[]> => {
  const { rows } = await sql<DeletedRow>`
    select ${tombstone} from tombstones
      where ${isRecoverable(place)} and message_id = any(${[...ids]}::uuid[])
    union all select ${inTrash} from messages
      where ${isLeft(place)} and id = any(${[...ids]}::uuid[])
    order by at, message_id`.execute(db)
  return rows
}

/** Of messages that came to Trash with this folder, and of those that were deleted for good in it before. */
export const noteLeftFolder = async (
  tx: Db,
  { workspaceId, mailboxId }: Place,
  folder: { id: string; name: string },
  messageIds: readonly string[],
): Promise<void> => {
  await sql`
    update messages set left_folder = ${folder.name}
    where workspace_id = ${workspaceId} and id = any(${[...messageIds]}::uuid[])`.execute(tx)
  await sql`
    update tombstones set kept = kept || jsonb_build_object('left_folder', ${folder.name}::text)
    where ${isRecoverable({ workspaceId, mailboxId })} and folder_id = ${folder.id}`.execute(tx)
}

/** The place of each stays in the log; its bytes belong to a message again. The caller has locked the mailbox. */
export const forgetKept = async (tx: Db, place: Place, ids: readonly string[]): Promise<void> => {
  await sql`
    update tombstones set blob = null, kept = null
    where ${isRecoverable(place)} and message_id = any(${[...ids]}::uuid[])`.execute(tx)
}
