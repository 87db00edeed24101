import type { Insertable, Selectable } from 'kysely'
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

/** Where it is, and whether it is a draft still. */
export const findDraftMessage = (db: Db, { workspaceId, mailboxId }: Place, messageId: string) =>
  db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['messages.id', 'messages.blob', 'messages.isDraft', 'folders.role'])
    .where('messages.workspaceId', '=', workspaceId)
    .where('messages.mailboxId', '=', mailboxId)
    .where('messages.id', '=', messageId)
    .executeTakeFirst()

/** The message is filed before. */
export const putDraft = async (db: Db, draft: Insertable<DraftsTable>): Promise<void> => {
  await db
    .insertInto('drafts')
    .values(draft)
    .onConflict((conflict) => conflict.columns(['mailboxId', 'key']).doUpdateSet(draft))
    .execute()
}

/** Of messages that are no drafts any more. */
export const deleteSentDrafts = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('drafts')
    .where('savedAt', '<', before)
    .where('messageId', 'in', (of) =>
      of.selectFrom('messages').select('id').where('isDraft', '=', false),
    )
    .execute()
}

/** Back to Drafts from where it is; a draft is in no conversation. */
export const becomeDraft = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  messageId: string,
  to: { folderId: string; uid: number; modseq: number },
): Promise<void> => {
  await db
    .updateTable('messages')
    .set({ ...to, isDraft: true, isRead: true, threadId: messageId })
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', messageId)
    .execute()
}
