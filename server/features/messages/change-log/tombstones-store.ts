/**
 * What left a folder, kept for 30 days (decision 086). `leaveFolder` is the only way out of a folder: it counts, takes the modseq
 * and writes the tombstones. Callers have locked the mailbox.
 */
import { sql } from 'kysely'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import type { Db } from '#server/storage/database.ts'

/**
 * Why messages leave: `moved` and `replaced` (a draft by its next save) keep nothing but the place; `deleted` keeps the bytes and
 * the row too, so that the message can be recovered.
 */
export type Leaving = { why: 'moved' | 'replaced' | 'deleted'; at: Date }

export const leaveFolder = async (
  db: Db,
  folderId: string,
  messages: readonly { id: string; isRead: boolean }[],
  { why, at }: Leaving,
): Promise<void> => {
  const unread = messages.filter(({ isRead }) => !isRead).length
  const { modseq } = await touchFolder(db, folderId, {
    ...{ messages: -messages.length, unread: -unread, uids: 0 },
  })
  const isKept = why === 'deleted'
  const ids = messages.map(({ id }) => id)
  await sql`
    insert into tombstones (mailbox_id, modseq, folder_id, uid, workspace_id, message_id, at, size_bytes, blob, kept)
    select mailbox_id, ${modseq}, folder_id, uid, workspace_id, id, ${at}, size_bytes,
      case when ${isKept} then blob end,
      case when ${isKept} then to_jsonb(messages) - '{search_text,preview,blob}'::text[] end
    from messages where id = any(${ids}::uuid[]) and folder_id = ${folderId}`.execute(db)
}

/** Deleted messages that can still be recovered. */
export const keptRows = (db: Db) => keptBlobs(db).select(['mailboxId', 'at'])

/** The blobs of deleted messages that can still be recovered. */
export const keptBlobs = (db: Db) =>
  db
    .selectFrom('tombstones')
    .select((row) => row.ref('blob').$notNull().as('blob'))
    .where('blob', 'is not', null)
