/** Uploaded files; every reader of the mailbox may use them. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { UploadsTable } from '#server/storage/rows/sending-tables.ts'

export type UploadRow = Selectable<UploadsTable>
type Place = { workspaceId: string; mailboxId: string }

export const insertUploads = async (db: Db, uploads: Insertable<UploadsTable>[]): Promise<void> => {
  await db.insertInto('uploads').values(uploads).execute()
}

/** The uploads that exist, in no order. */
export const findUploads = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  ids: readonly string[],
): Promise<UploadRow[]> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('removedAt', 'is', null)
    .execute()

/**
 * Bytes of all uploads of a mailbox, and of its workspace, including removed ones that are still on disk.
 */
export const uploadedBytes = (
  db: Db,
  { workspaceId, mailboxId }: Place,
): Promise<{ own: number; all: number }> => {
  const own = sql`filter (where mailbox_id = ${mailboxId})`
  return db
    .selectFrom('uploads')
    .select([
      sql<number>`coalesce(sum(size_bytes) ${own}, 0)::bigint`.as('own'),
      sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('all'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', 'in', (of) =>
      of
        .selectFrom(mailboxRows(db).as('mailboxes'))
        .select('mailboxes.id')
        .where('mailboxes.workspaceId', '=', workspaceId),
    )
    .executeTakeFirstOrThrow()
}

/** Returns whether the upload existed. */
export const markRemoved = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  id: string,
  removedAt: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ removedAt })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes removed uploads and those that no draft uses. */
export const deleteIdleUploads = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('uploads')
    .where('createdAt', '<', before)
    .where(
      sql<boolean>`(removed_at < ${before} or not exists (
        select from drafts where drafts.mailbox_id = uploads.mailbox_id and uploads.id = any(drafts.uploads)
      ))`,
    )
    .execute()
}
