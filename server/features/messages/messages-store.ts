/** Messages and their folders in the database: filing, counting, listing. */
import { type Selectable, sql } from 'kysely'
import type { Authentication, FolderRole, Junk } from '#contract/messages.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'
import { columnsOf, insertOf, type RawRow } from '#server/storage/raw-rows.ts'
import type { FoldersTable, MessagesTable } from '#server/storage/rows/mailbox-tables.ts'

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
  const row = insertOf(rowOf(m))
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
    insert into messages (${row.columns}) select ${row.values} from box, folder
    returning id`.execute(db)
  return rows.length > 0
}

/** The statement names the rows of the mailbox and the folder `box` and `folder`. */
const rowOf = (m: MessageToFile): RawRow<MessagesTable> => {
  const { digest } = m
  return {
    id: m.id,
    workspaceId: sql<string>`box.workspace_id`,
    mailboxId: sql<string>`box.id`,
    folderId: sql<string>`folder.id`,
    uid: sql<number>`folder.uid`,
    modseq: sql<number>`folder.modseq`,
    threadId: threadOf(m),
    blob: m.blob,
    sizeBytes: m.sizeBytes,
    messageId: digest.messageId,
    inReplyTo: digest.inReplyTo,
    references: JSON.stringify(digest.references),
    subject: digest.subject,
    from: JSON.stringify(digest.from),
    to: JSON.stringify(digest.to),
    cc: JSON.stringify(digest.cc),
    bcc: JSON.stringify(digest.bcc),
    preview: digest.preview,
    isRead: m.isRead,
    isStarred: m.isStarred ?? false,
    isAnswered: m.isAnswered ?? false,
    isDraft: m.isDraft,
    hasAttachments: digest.hasAttachments,
    authentication: m.authentication === null ? null : JSON.stringify(m.authentication),
    junk: m.junk ? JSON.stringify(m.junk) : null,
    mailFrom: m.mailFrom,
    date: m.date,
    searchText: digest.searchText,
  }
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
  if (isDraft) return sql<string>`${id}::uuid`
  const { references, inReplyTo, messageId } = digest
  const ancestors = [...references, ...(inReplyTo === null ? [] : [inReplyTo])].filter(
    (ancestor) => ancestor !== messageId,
  )
  return sql<string>`join_thread(${mailboxId}, ${id}, ${messageId}, ${ancestors}::text[], ${digest.subject},
    ${digest.from?.address ?? ''}, ${date})`
}

export const folderColumns = ['id', 'role', 'name', 'messageCount', 'unreadCount'] as const

export type FolderRow = Pick<Selectable<FoldersTable>, (typeof folderColumns)[number]>

export const foldersOf = (db: Db, workspaceId: string, mailboxId: string): Promise<FolderRow[]> =>
  db
    .selectFrom('folders')
    .select(folderColumns)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .orderBy('name')
    .execute()

const summary = [
  'id',
  'folderId',
  'subject',
  'from',
  'to',
  'date',
  'preview',
  'isRead',
  'isStarred',
  'isAnswered',
  'keywords',
  'hasAttachments',
  'sizeBytes',
] as const

/** Of a message as lists show it. */
export type SummaryRow = Pick<Selectable<MessagesTable>, (typeof summary)[number]>

export const summaryColumns = summary.map((column) => `messages.${column}` as const)

/** For statements that are written out, and name the table `m`. */
export const summaryOfM = columnsOf('m', summary)

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
