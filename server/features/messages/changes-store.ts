/**
 * Changing and removing messages. Whoever changes mail locks the mailbox's row first, so changes in one
 * mailbox happen one after the other, and nobody waits in a circle.
 */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { MessagesTable } from '#server/storage/rows/mailbox-tables.ts'
import { type MessagePlace, summaryColumns } from './messages-store.ts'

const locked = ['id', 'folderId', 'isRead', 'isStarred', 'sizeBytes'] as const

export type LockedMessage = Pick<Selectable<MessagesTable>, (typeof locked)[number]>

export const lockMailboxRow = async (db: Db, mailboxId: string): Promise<void> => {
  await db
    .selectFrom('mailboxes')
    .select('id')
    .where('id', '=', mailboxId)
    .forNoKeyUpdate()
    .execute()
}

export const lockMessage = (db: Db, place: MessagePlace): Promise<LockedMessage | undefined> =>
  db
    .selectFrom('messages')
    .select(locked)
    .where('workspaceId', '=', place.workspaceId)
    .where('mailboxId', '=', place.mailboxId)
    .where('id', '=', place.messageId)
    .forUpdate()
    .executeTakeFirst()

export type FolderChange = { messages: number; unread: number; uids: number }

/** Every change in a folder gets a modseq (RFC 7162); each message that comes in a uid too; answers the last. */
export const touchFolder = (db: Db, folderId: string, change: FolderChange) =>
  db
    .updateTable('folders')
    .set((set) => ({
      uidNext: set('uidNext', '+', change.uids),
      highestModseq: set('highestModseq', '+', 1),
      messageCount: set('messageCount', '+', change.messages),
      unreadCount: set('unreadCount', '+', change.unread),
    }))
    .where('id', '=', folderId)
    .returning(['highestModseq as modseq', sql<number>`uid_next - 1`.as('uid')])
    .executeTakeFirstOrThrow()

/** Nothing in a folder changes without a modseq. */
export type MessageChange = Updateable<MessagesTable> & { modseq: number }

export const changeRow = (db: Db, id: string, change: MessageChange) =>
  db
    .updateTable('messages')
    .set(change)
    .where('id', '=', id)
    .returning(summaryColumns)
    .executeTakeFirstOrThrow()

/** Removes the row and gives its bytes back. */
export const removeRow = async (db: Db, mailboxId: string, message: LockedMessage) => {
  await db.deleteFrom('messages').where('id', '=', message.id).execute()
  await db
    .updateTable('mailboxes')
    .set((set) => ({ usedBytes: set('usedBytes', '-', message.sizeBytes) }))
    .where('id', '=', mailboxId)
    .execute()
}

/** Blobs among these that a row refers to. */
export const blobsInUse = async (db: Db, hashes: readonly string[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('messages')
    .select('blob')
    .where('blob', 'in', hashes)
    .union(db.selectFrom('outboxMessages').select('blob').where('blob', 'in', hashes))
    .union(db.selectFrom('uploads').select('blob').where('blob', 'in', hashes))
    .union(db.selectFrom('mailImportChunks').select('blob').where('blob', 'in', hashes))
    .execute()
  return new Set(rows.map(({ blob }) => blob))
}
