/** Uploaded files. Whoever may write in a mailbox may use those of the mailbox. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { UploadsTable } from '#server/storage/rows/writing-tables.ts'

export type UploadRow = Selectable<UploadsTable>
type Place = { workspaceId: string; mailboxId: string }

export const insertUploads = async (db: Db, uploads: Insertable<UploadsTable>[]): Promise<void> => {
  await db.insertInto('uploads').values(uploads).execute()
}

/** Those that are there, in no order. */
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
    .execute()

/** Bytes of all files that wait for a message: of a mailbox, and of all of its workspace. */
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
      of.selectFrom('mailboxes').select('id').where('workspaceId', '=', workspaceId),
    )
    .executeTakeFirstOrThrow()
}

export const deleteUpload = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  id: string,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('uploads')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Those that no draft has. */
export const deleteIdleUploads = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('uploads')
    .where('createdAt', '<', before)
    .where(
      sql<boolean>`not exists (
        select from drafts where drafts.mailbox_id = uploads.mailbox_id and uploads.id = any(drafts.uploads)
      )`,
    )
    .execute()
}
