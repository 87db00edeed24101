/** Tombstones of messages that can be had back (decision 086). */
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
}

export type DeletedRow = {
  messageId: string
  folderId: string
  at: Date
  sizeBytes: number
  blob: string
  kept: Kept
}

const isRecoverable = ({ workspaceId, mailboxId }: Place) => sql`
  workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and blob is not null`

/** The last one first. */
export const readDeleted = async (
  db: Db,
  place: Place,
  after: PagePosition | null,
  limit: number,
): Promise<DeletedRow[]> => {
  const isAfter =
    after === null ? sql`` : sql`and (at, message_id) < (${after.at}, ${after.id}::uuid)`
  const { rows } = await sql<DeletedRow>`
    select message_id, folder_id, at, size_bytes, blob, kept from tombstones
    where ${isRecoverable(place)} ${isAfter} order by at desc, message_id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Those of these that can still be had back. */
export const findDeleted = async (
  db: Db,
  place: Place,
  ids: readonly string[],
): Promise<DeletedRow[]> => {
  const { rows } = await sql<DeletedRow>`
    select message_id, folder_id, at, size_bytes, blob, kept from tombstones
    where ${isRecoverable(place)} and message_id = any(${[...ids]}::uuid[]) order by at, message_id`.execute(
    db,
  )
  return rows
}

/** The place of each stays in the log; its bytes belong to a message again. The caller has locked the mailbox. */
export const forgetKept = async (tx: Db, place: Place, ids: readonly string[]): Promise<void> => {
  await sql`
    update tombstones set blob = null, kept = null
    where ${isRecoverable(place)} and message_id = any(${[...ids]}::uuid[])`.execute(tx)
}
