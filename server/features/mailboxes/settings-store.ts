import { sql, type Updateable } from 'kysely'
import type { MailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'

export type Place = { workspaceId: string; mailboxId: string }

const columns = ['displayName', 'signature'] as const

export const readSettings = (
  db: Db,
  { workspaceId, mailboxId }: Place,
): Promise<MailboxSettings | undefined> =>
  db
    .selectFrom('mailboxes')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .executeTakeFirst()

export const storeSettings = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  change: Updateable<MailboxesTable>,
): Promise<MailboxSettings | undefined> =>
  db
    .updateTable('mailboxes')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .returning(columns)
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
