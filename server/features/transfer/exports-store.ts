import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailExportsTable } from '#server/storage/rows/mailbox-setting-tables.ts'

export type ExportRow = Selectable<MailExportsTable>
type Place = { workspaceId: string; mailboxId: string }

export const insertExport = (db: Db, row: Insertable<MailExportsTable>): Promise<ExportRow> =>
  db.insertInto('mailExports').values(row).returningAll().executeTakeFirstOrThrow()

export const readExport = (db: Db, { workspaceId, mailboxId }: Place, id: string) =>
  db
    .selectFrom('mailExports')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Only one of two concurrent requests gets the export. */
export const takeExport = (db: Db, tokenHash: Buffer, now: Date): Promise<ExportRow | undefined> =>
  db
    .updateTable('mailExports')
    .set({ state: 'running' })
    .where('tokenHash', '=', tokenHash)
    .where('state', '=', 'ready')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

/** @returns false when its mailbox or folder was deleted or moved. */
export const noteExport = async (
  db: Db,
  { workspaceId, id }: Pick<ExportRow, 'workspaceId' | 'id'>,
  change: Updateable<MailExportsTable>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mailExports')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteExports = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('mailExports').where('createdAt', '<', before).execute()
}

export type Position = { date: Date; id: string }

/** Oldest first, by date: a message that is moved meanwhile keeps its date, so it is exported once. */
export const messagesAfter = (
  db: Db,
  { workspaceId, mailboxId, folderId }: Pick<ExportRow, 'workspaceId' | 'mailboxId' | 'folderId'>,
  after: Position | null,
  limit: number,
) => {
  const all = db
    .selectFrom(messageRows(db).as('messages'))
    .innerJoin(folderRows(db).as('folders'), (on) =>
      on
        .onRef('folders.id', '=', 'messages.folderId')
        .onRef('folders.workspaceId', '=', 'messages.workspaceId'),
    )
    .select([
      'messages.id',
      'messages.blob',
      'messages.mailFrom',
      'messages.date',
      'messages.isRead',
      'messages.isStarred',
      'messages.isAnswered',
      'folders.role',
      'folders.name',
    ])
    .where('messages.workspaceId', '=', workspaceId)
    .where('messages.mailboxId', '=', mailboxId)
    .orderBy('messages.date')
    .orderBy('messages.id')
    .limit(limit)
  const wanted = folderId === null ? all : all.where('messages.folderId', '=', folderId)
  return (
    after === null
      ? wanted
      : wanted.where(
          sql<boolean>`(messages.date, messages.id) > (${after.date}::timestamptz, ${after.id}::uuid)`,
        )
  ).execute()
}
