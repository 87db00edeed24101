/** Bulk changes of messages. The caller has locked the mailbox, so rows do not change between reading and writing. */
import { type RawBuilder, sql } from 'kysely'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { subtractUsedBytes } from '#server/features/mailboxes/mailbox-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { MessageBefore } from '#server/storage/rows/conversation-tables.ts'
import { leaveFolder } from './change-log/tombstones-store.ts'

export type Place = { workspaceId: string; mailboxId: string }

export type Selection =
  | { messageIds: string[] }
  | { folderId: string; threadIds: string[] }
  | { folderId: string; until: Date; exceptThreadIds: string[] }

const columns = ['id', 'folderId', 'isRead', 'isStarred'] as const

export const selectMessages = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  selection: Selection,
): Promise<MessageBefore[]> => {
  const all = db
    .selectFrom('messages')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
  if ('messageIds' in selection)
    return all.where(sql<boolean>`id = any(${selection.messageIds}::uuid[])`).execute()
  const inFolder = all.where('folderId', '=', selection.folderId)
  if ('threadIds' in selection)
    return inFolder.where(sql<boolean>`thread_id = any(${selection.threadIds}::uuid[])`).execute()
  return inFolder
    .where('date', '<=', selection.until)
    .where(sql<boolean>`thread_id <> all(${selection.exceptThreadIds}::uuid[])`)
    .execute()
}

/** The state of a message before and after the change. */
export type StateChange = { before: MessageBefore; after: Omit<MessageBefore, 'id'> }

/**
 * Applies the changes and updates each folder's counters, uid and modseq once for all its messages. `order`: of the uids that moved
 * messages get.
 */
export const applyChanges = async (
  db: Db,
  changes: readonly StateChange[],
  at: Date,
  order: MoveOrder = 'date',
): Promise<void> => {
  const ways = Map.groupBy(changes, ({ before, after }) => `${before.folderId} ${after.folderId}`)
  for (const group of ways.values()) {
    const [first] = group
    if (first === undefined) continue
    const [from, to] = [first.before.folderId, first.after.folderId]
    const unreadBefore = group.filter(({ before }) => !before.isRead).length
    const unreadAfter = group.filter(({ after }) => !after.isRead).length
    if (from === to) {
      const unread = unreadAfter - unreadBefore
      const { modseq } = await touchFolder(db, from, { messages: 0, unread, uids: 0 })
      await writeFlags(db, group, modseq)
      continue
    }
    const many = group.length
    const leaving = group.map(({ before }) => before)
    await leaveFolder(db, from, leaving, { why: 'moved', at })
    const come = { messages: many, unread: unreadAfter, uids: many }
    const { uid: lastUid, modseq } = await touchFolder(db, to, come)
    const firstUid = lastUid - many + 1
    await writeMoves(db, group, { folderId: to, firstUid, modseq, at, order })
  }
}

/** Arrays, so that a change of a whole mailbox needs three parameters only. */
const given = (group: readonly StateChange[]) =>
  sql<Pick<MessageBefore, 'id' | 'isRead' | 'isStarred'>>`unnest(
    ${group.map(({ before }) => before.id)}::uuid[],
    ${group.map(({ after }) => after.isRead)}::boolean[],
    ${group.map(({ after }) => after.isStarred)}::boolean[])`.as<'given'>(
    sql`given (id, is_read, is_starred)`,
  )

const writeFlags = (db: Db, group: readonly StateChange[], modseq: number) =>
  db
    .updateTable('messages')
    .from(given(group))
    .set(({ ref }) => ({
      isRead: ref('given.isRead'),
      isStarred: ref('given.isStarred'),
      modseq,
    }))
    .whereRef('messages.id', '=', 'given.id')
    .execute()

type MoveOrder = 'date' | 'uid'

const orderOf: Record<MoveOrder, RawBuilder<unknown>> = {
  date: sql`messages.date, messages.id`,
  uid: sql`messages.uid`,
}

/** Moved messages get new uids in the target folder (RFC 3501 §2.3.1.1). */
const writeMoves = (
  db: Db,
  group: readonly StateChange[],
  to: { folderId: string; firstUid: number; modseq: number; at: Date; order: MoveOrder },
) =>
  db
    .updateTable('messages')
    .from((from) =>
      from
        .selectFrom(given(group))
        .innerJoin('messages', 'messages.id', 'given.id')
        .selectAll('given')
        .select(sql<number>`row_number() over (order by ${orderOf[to.order]}) - 1`.as('place'))
        .as('placed'),
    )
    .set(({ ref }) => ({
      folderId: to.folderId,
      modseq: to.modseq,
      savedAt: to.at,
      uid: sql<number>`${to.firstUid}::bigint + placed.place`,
      isRead: ref('placed.isRead'),
      isStarred: ref('placed.isStarred'),
      leftFolder: null,
    }))
    .whereRef('messages.id', '=', 'placed.id')
    .execute()

/** Deletes messages for good and frees their bytes in the mailbox; they can be recovered for a while. */
export const removeMessages = async (
  db: Db,
  { mailboxId }: Place,
  messages: readonly MessageBefore[],
  at: Date,
): Promise<void> => {
  for (const [folderId, group] of Map.groupBy(messages, (message) => message.folderId))
    await leaveFolder(db, folderId, group, { why: 'deleted', at })
  const { bytes } = await db
    .with('gone', (rows) =>
      rows
        .deleteFrom('messages')
        .where('id', '=', sql<string>`any(${messages.map(({ id }) => id)}::uuid[])`)
        .returning('sizeBytes'),
    )
    .selectFrom('gone')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow()
  await subtractUsedBytes(db, mailboxId, bytes)
}

export const noteChange = async (
  db: Db,
  { workspaceId, mailboxId }: Place,
  change: { id: string; at: Date; to: string | null; before: readonly MessageBefore[] },
): Promise<void> => {
  const { id, at, to, before } = change
  const changed = JSON.stringify({ to, before })
  await db.insertInto('bulkChanges').values({ id, workspaceId, mailboxId, at, changed }).execute()
}

/** Reads and deletes the change: it can be undone once. */
export const takeChange = (db: Db, { workspaceId, mailboxId }: Place, id: string, since: Date) =>
  db
    .deleteFrom('bulkChanges')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('id', '=', id)
    .where('at', '>=', since)
    .returning('changed')
    .executeTakeFirst()

/** Limit for all kept changes of a mailbox together. */
const MOST_BYTES = 10_000_000

/** Deletes changes that are too old, and the oldest ones above MOST_BYTES: a change of a whole mailbox takes megabytes. */
export const forgetChanges = async (db: Db, mailboxId: string, before: Date): Promise<void> => {
  await sql`
    delete from bulk_changes using (
      select id, at, sum(pg_column_size(changed)) over (order by at desc, id desc) as bytes
      from bulk_changes where mailbox_id = ${mailboxId}
    ) as kept
    where bulk_changes.id = kept.id and (kept.at < ${before} or kept.bytes > ${MOST_BYTES})`.execute(
    db,
  )
}

export const deleteChanges = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('bulkChanges').where('at', '<', before).execute()
}
