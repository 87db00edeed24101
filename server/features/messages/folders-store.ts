import type { Db } from '#server/storage/database.ts'
import { type FolderRow, folderColumns } from './messages-store.ts'

type Place = { workspaceId: string; mailboxId: string }

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
