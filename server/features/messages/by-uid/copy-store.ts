import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { columnsOf } from '#server/storage/raw-rows.ts'
import type { MessagesTable } from '#server/storage/rows/mailbox-tables.ts'
import { type FolderPlace, messagesByUid } from '../structures/structures-store.ts'
import { isIn } from './uid-store.ts'

const columns = ['id', 'uid', 'folderId', 'isRead', 'isStarred', 'sizeBytes'] as const

export type MessageToPlace = Pick<Selectable<MessagesTable>, (typeof columns)[number]>

/** In the order of uids; those that are gone are left out. The caller has locked the mailbox. */
export const messagesToPlace = async (
  tx: Db,
  place: FolderPlace,
  uids: readonly number[],
): Promise<MessageToPlace[]> => {
  const { rows } = await sql<MessageToPlace>`
    select ${columnsOf('m', columns)} from ${messagesByUid(place, uids)} where ${isIn(place)} order by m.uid`.execute(
    tx,
  )
  return rows
}

/** Only those that are marked deleted, which an index knows. */
export const messagesToEnd = (
  tx: Db,
  { workspaceId, mailboxId, folderId }: FolderPlace,
  uids: readonly number[],
): Promise<MessageToPlace[]> =>
  tx
    .selectFrom('messages')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('folderId', '=', folderId)
    .where(sql<boolean>`uid = any(${uids}::bigint[])`)
    .where('isDeleted', '=', true)
    .orderBy('uid')
    .execute()

type Copy = { from: string; id: string; uid: number }
type Target = { folderId: string; modseq: number; isSent: boolean; at: Date }

/** With their texts and structures. A draft is in no conversation but its own; the junk filter has not learnt a copy. */
export const insertCopies = async (
  tx: Db,
  copies: readonly Copy[],
  { folderId, modseq, isSent, at }: Target,
): Promise<void> => {
  const [from, ids] = [copies.map((copy) => copy.from), copies.map(({ id }) => id)]
  const given = sql`unnest(${from}::uuid[], ${ids}::uuid[], ${copies.map(({ uid }) => uid)}::bigint[])
    as given (source, new_id, new_uid)`
  await sql`
    insert into messages (id, workspace_id, mailbox_id, folder_id, uid, modseq, thread_id, blob, size_bytes, message_id,
      in_reply_to, "references", subject, "from", "to", cc, bcc, preview, is_read, is_starred, is_answered, is_draft, is_deleted,
      keywords, has_attachments, authentication, junk, mail_from, date, saved_at, search_text)
    select given.new_id, workspace_id, mailbox_id, ${folderId}, given.new_uid, ${modseq},
      case when is_draft then given.new_id else thread_id end, blob, size_bytes, message_id,
      in_reply_to, "references", subject, "from", "to", cc, bcc, preview, is_read, is_starred, is_answered, is_draft, is_deleted,
      keywords, has_attachments, authentication, junk, mail_from, date, ${at}::timestamptz, search_text
    from messages join ${given} on given.source = messages.id`.execute(tx)
  await sql`
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
    select given.new_id, t.workspace_id, t.mailbox_id, t.search, t.head,
      case when ${isSent} then base_subject(m.subject) end, t.date
    from message_texts t join ${given} on given.source = t.message_id
      join messages m on m.id = given.new_id and m.workspace_id = t.workspace_id`.execute(tx)
  await sql`
    insert into message_structures (mailbox_id, message_id, workspace_id, structure, envelope, body_structure)
    select s.mailbox_id, given.new_id, s.workspace_id, s.structure, s.envelope, s.body_structure
    from message_structures s join messages m
      on m.mailbox_id = s.mailbox_id and m.id = s.message_id and m.workspace_id = s.workspace_id
    join ${given} on given.source = m.id
    on conflict do nothing`.execute(tx)
  await sql`
    insert into messages_read_in_part (message_id, mailbox_id, workspace_id, due_at)
    select given.new_id, r.mailbox_id, r.workspace_id, r.due_at
    from messages_read_in_part r join ${given} on given.source = r.message_id`.execute(tx)
}

/** The uids of these messages in the folder, by their ids. */
export const uidsOfMessages = async (
  db: Db,
  { workspaceId, mailboxId, folderId }: FolderPlace,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'uid'])
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('folderId', '=', folderId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, uid }) => [id, uid]))
}
