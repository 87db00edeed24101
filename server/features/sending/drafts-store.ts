import type { Insertable, Selectable } from 'kysely'
import { folderRows } from '#server/features/mailboxes/folder-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { DraftsTable } from '#server/storage/rows/sending-tables.ts'

export type DraftRow = Selectable<DraftsTable>
type Place = { workspaceId: string; mailboxId: string }

export const findDraft = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  by: { key: string } | { messageId: string },
): Promise<DraftRow | undefined> => {
  const query = db
    .selectFrom('drafts')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
  return (
    'key' in by ? query.where('key', '=', by.key) : query.where('messageId', '=', by.messageId)
  ).executeTakeFirst()
}

/** The draft's folder, and whether the message is still a draft. */
export const findDraftMessage = (db: Db, { workspaceId, mailboxId }: Place, messageId: string) =>
  db
    .selectFrom(messageRows(db).as('messages'))
    .innerJoin(folderRows(db).as('folders'), (on) =>
      on
        .onRef('folders.id', '=', 'messages.folderId')
        .onRef('folders.workspaceId', '=', 'messages.workspaceId'),
    )
    .select(['messages.id', 'messages.blob', 'messages.isDraft', 'folders.role'])
    .where('messages.workspaceId', '=', workspaceId)
    .where('messages.mailboxId', '=', mailboxId)
    .where('messages.id', '=', messageId)
    .executeTakeFirst()

/** Call after filing the message. */
export const putDraft = async (db: Db, draft: Insertable<DraftsTable>): Promise<void> => {
  await db
    .insertInto('drafts')
    .values(draft)
    .onConflict((conflict) => conflict.constraint('drafts_pkey').doUpdateSet(draft))
    .execute()
}

/** Deletes the draft rows of messages that are no longer drafts. */
export const deleteSentDrafts = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('drafts')
    .where('savedAt', '<', before)
    .where('messageId', 'in', (of) =>
      of
        .selectFrom(messageRows(db).as('messages'))
        .select('messages.id')
        .where('messages.isDraft', '=', false),
    )
    .execute()
}
