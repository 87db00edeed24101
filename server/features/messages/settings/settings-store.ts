import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export type Place = { workspaceId: string; mailboxId: string }
export type SettingsRow = { displayName: string; signature: string }

export const readSettings = (db: Db, { workspaceId, mailboxId }: Place) =>
  db
    .selectFrom('mailboxes')
    .select(['displayName', 'signature'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .executeTakeFirst()

export const storeSettings = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  change: Partial<SettingsRow>,
): Promise<SettingsRow | undefined> =>
  db
    .updateTable('mailboxes')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .returning(['displayName', 'signature'])
    .executeTakeFirst()

/** Largest first. */
export const sizesOfFolders = (db: Db, { workspaceId, mailboxId }: Place) =>
  db
    .selectFrom('folders')
    .leftJoin('messages', 'messages.folderId', 'folders.id')
    .select([
      'folders.id',
      'folders.role',
      'folders.name',
      'folders.messageCount',
      sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'),
    ])
    .where('folders.workspaceId', '=', workspaceId)
    .where('folders.mailboxId', '=', mailboxId)
    .groupBy('folders.id')
    .orderBy('bytes', 'desc')
    .orderBy('folders.name')
    .execute()
