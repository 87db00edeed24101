/** Messages and their folders in the database: filing, counting, listing. */
import { sql } from 'kysely'
import type { Authentication, FolderRole, Junk } from '#contract/messages.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'

export type MessageToFile = ({ folderRole: FolderRole } | { folderId: string }) & {
  id: string
  mailboxId: string
  blob: string
  sizeBytes: number
  digest: MessageDigest
  isRead: boolean
  isStarred?: boolean
  isAnswered?: boolean
  isDraft: boolean
  authentication: Authentication | null
  junk?: Junk | null
  mailFrom: string
  date: Date
  /** A vacation reply that is on may answer it. */
  isAnswerable?: boolean
}

/**
 * Stores a message in a folder of its mailbox and keeps uids, counters and the used bytes right, in one
 * statement. Locks go mailbox, then folder, as everywhere. @returns false when the mailbox is gone.
 */
export const fileMessage = async (db: Db, m: MessageToFile): Promise<boolean> => {
  const d = m.digest
  const { rows } = await sql<{ id: string }>`
    with box as (
      update mailboxes set used_bytes = used_bytes + ${m.sizeBytes}
      where id = ${m.mailboxId} returning id, workspace_id
    ), folder as (
      update folders set
        uid_next = uid_next + 1,
        highest_modseq = highest_modseq + 1,
        message_count = message_count + 1,
        unread_count = unread_count + ${m.isRead ? 0 : 1}
      from box where folders.mailbox_id = box.id and ${inFolder(m)}
      returning folders.id, folders.uid_next - 1 as uid, folders.highest_modseq as modseq
    )${m.isAnswerable ? vacationDue(m) : sql``}${m.digest.isPartial ? readInPart(m) : sql``}
    insert into messages (
      id, workspace_id, mailbox_id, folder_id, uid, modseq, thread_id, blob, size_bytes,
      message_id, in_reply_to, "references", subject, "from", "to", cc, bcc, preview,
      is_read, is_starred, is_answered, is_draft, has_attachments, authentication, junk, mail_from, date, search_text
    )
    select
      ${m.id}, box.workspace_id, box.id, folder.id, folder.uid, folder.modseq,
      ${threadOf(m)},
      ${m.blob}, ${m.sizeBytes}, ${d.messageId}, ${d.inReplyTo}, ${JSON.stringify(d.references)},
      ${d.subject}, ${JSON.stringify(d.from)}, ${JSON.stringify(d.to)}, ${JSON.stringify(d.cc)},
      ${JSON.stringify(d.bcc)}, ${d.preview}, ${m.isRead}, ${m.isStarred ?? false},
      ${m.isAnswered ?? false}, ${m.isDraft}, ${d.hasAttachments},
      ${m.authentication === null ? null : JSON.stringify(m.authentication)},
      ${m.junk ? JSON.stringify(m.junk) : null},
      ${m.mailFrom}, ${m.date}, ${d.searchText}
    from box, folder
    returning id`.execute(db)
  return rows.length > 0
}

const inFolder = (m: MessageToFile) =>
  'folderId' in m ? sql`folders.id = ${m.folderId}` : sql`folders.role = ${m.folderRole}`

/** Kept with the message, so that its answer is neither lost nor sent twice (`vacation/answer-dues`). */
const vacationDue = ({ id, date }: MessageToFile) => sql`, due as (
      insert into vacation_dues (message_id, mailbox_id, workspace_id)
      select ${id}, box.id, box.workspace_id
      from box join vacation_replies on mailbox_id = box.id
      where is_on and starts_at <= ${date} and (ends_at is null or ends_at > ${date})
    )`

/** `read-again` reads the rest. */
const readInPart = ({ id, date }: MessageToFile) => sql`, in_part as (
      insert into messages_read_in_part (message_id, mailbox_id, workspace_id, due_at)
      select ${id}, box.id, box.workspace_id, ${date} from box
    )`

/**
 * The thread of the nearest ancestor that is here, else of what answers it already, else of the mail it answers by its
 * subject alone, else one of its own. A draft is in none until it is sent.
 */
const threadOf = ({ id, mailboxId, isDraft, digest, date }: MessageToFile) => {
  if (isDraft) return sql`${id}::uuid`
  const { references, inReplyTo, messageId } = digest
  const ancestors = [...references, ...(inReplyTo === null ? [] : [inReplyTo])].filter(
    (ancestor) => ancestor !== messageId,
  )
  return sql`join_thread(${mailboxId}, ${id}, ${messageId}, ${ancestors}::text[], ${digest.subject},
    ${digest.from?.address ?? ''}, ${date})`
}

export type FolderRow = {
  id: string
  role: FolderRole | null
  name: string
  messageCount: number
  unreadCount: number
}

export const foldersOf = (db: Db, workspaceId: string, mailboxId: string): Promise<FolderRow[]> =>
  db
    .selectFrom('folders')
    .select(['id', 'role', 'name', 'messageCount', 'unreadCount'])
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .orderBy('name')
    .execute()

export const summaryColumns = [
  'messages.id',
  'messages.folderId',
  'messages.subject',
  'messages.from',
  'messages.to',
  'messages.date',
  'messages.preview',
  'messages.isRead',
  'messages.isStarred',
  'messages.isAnswered',
  'messages.keywords',
  'messages.hasAttachments',
  'messages.sizeBytes',
] as const

export type ListRequest = {
  workspaceId: string
  folderId: string
  after: PagePosition | null
  limit: number
}

/** Newest first. */
export const listRows = (db: Db, { workspaceId, folderId, after, limit }: ListRequest) =>
  db
    .selectFrom('messages')
    .select(summaryColumns)
    .where('workspaceId', '=', workspaceId)
    .where('folderId', '=', folderId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(date, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type MessagePlace = { workspaceId: string; mailboxId: string; messageId: string }

export const findMessage = (db: Db, place: MessagePlace) =>
  db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select([
      ...summaryColumns,
      'messages.blob',
      'messages.messageId',
      'messages.inReplyTo',
      'messages.references',
      'messages.cc',
      'messages.bcc',
      'messages.isDraft',
      'messages.authentication',
      'messages.junk',
      'folders.role as folderRole',
    ])
    .where('messages.workspaceId', '=', place.workspaceId)
    .where('messages.mailboxId', '=', place.mailboxId)
    .where('messages.id', '=', place.messageId)
    .executeTakeFirst()
