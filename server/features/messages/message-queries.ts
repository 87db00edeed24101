/** Files, lists and finds messages in the database, for this room and rooms that file or send mail. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Authentication, FolderRole, Junk } from '#contract/messages.ts'
import { countIncoming, folderRows } from '#server/features/mailboxes/folder-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'
import { columnsOf, insertOf, type RawRow } from '#server/storage/raw-rows.ts'
import type { MessagesTable } from '#server/storage/rows/mailbox-tables.ts'
import { keepStructure } from './structures/structures-store.ts'

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
  isDeleted?: boolean
  keywords?: readonly string[]
  authentication: Authentication | null
  junk?: Junk | null
  mailFrom: string
  date: Date
  /** When it is filed. */
  savedAt: Date
  /** SQL of a later room, run in the same statement: `, name as (...)`; it may use the rows `box` and `folder`. */
  alsoKept?: readonly AlsoKept[]
}

export type AlsoKept = (message: {
  id: string
  date: Date
  sizeBytes: number
}) => RawBuilder<unknown>

/**
 * Stores a message in a folder and updates uids, counters and used bytes, in one statement. Lock order everywhere: mailbox,
 * then folder. @returns false when the mailbox was deleted.
 */
export const fileMessage = async (db: Db, m: MessageToFile): Promise<boolean> =>
  (await fileForUid(db, m)) !== null

/** As `fileMessage`. @returns the uid; null when the mailbox was deleted. */
export const fileForUid = async (db: Db, m: MessageToFile): Promise<number | null> => {
  const row = insertOf(rowOf(m))
  const { isPartial, structure, search } = m.digest
  const { rows } = await sql<{ uid: number }>`
    with ${countIncoming(m)}${sql.join(m.alsoKept?.map((also) => also(m)) ?? [], sql``)}${isPartial ? readInPart(m) : sql``}${
      structure === undefined ? sql`` : keepStructure(m.id, structure)
    }, filed as (
      insert into messages (${row.columns}) select ${row.values} from box, folder
      returning id, workspace_id, mailbox_id, subject, date
    )
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, sent_subject, date)
    select filed.id, filed.workspace_id, filed.mailbox_id, ${search.vector}::tsvector, ${search.head},
      case when folder.role = 'sent' then base_subject(filed.subject) end, filed.date
    from filed, folder
    returning (select folder.uid from folder)`.execute(db)
  return rows[0]?.uid ?? null
}

/** Those of these SHA-256 whose bytes a message of the mailbox has. */
export const hashesInMailbox = async (
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
  hashes: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ hash: string }>`
    select distinct right(blob, 64) as hash from messages
    where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and right(blob, 64) = any(${[...hashes]}::text[])`.execute(
    db,
  )
  return new Set(rows.map(({ hash }) => hash))
}

/** `box` and `folder` are the statement's rows of the mailbox and the folder. */
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
    ...(m.isDeleted ? { isDeleted: true } : {}),
    ...(m.keywords?.length ? { keywords: sql<string[]>`${[...m.keywords]}::text[]` } : {}),
    hasAttachments: digest.hasAttachments,
    authentication: m.authentication === null ? null : JSON.stringify(m.authentication),
    junk: m.junk ? JSON.stringify(m.junk) : null,
    mailFrom: m.mailFrom,
    date: m.date,
    savedAt: m.savedAt,
    searchText: digest.searchText,
  }
}

/** Notes that the message was only partly parsed; `readAgain` parses the rest. */
const readInPart = ({ id, date }: MessageToFile) => sql`, in_part as (
      insert into messages_read_in_part (message_id, mailbox_id, workspace_id, due_at)
      select ${id}, box.id, box.workspace_id, ${date} from box
    )`

/**
 * The thread of the nearest stored ancestor, else of a stored answer to it, else of the mail that it answers by subject alone,
 * else a new one. A draft is in no conversation until it is sent.
 */
const threadOf = ({ id, mailboxId, isDraft, digest, date }: MessageToFile) => {
  if (isDraft) return sql<string>`${id}::uuid`
  const { references, inReplyTo, messageId } = digest
  const ancestors = [...references, ...(inReplyTo === null ? [] : [inReplyTo])].filter(
    (ancestor) => ancestor !== messageId,
  )
  return sql<string>`join_thread(${mailboxId}, ${id}, ${messageId}, ${ancestors}::text[], ${digest.subject},
    ${digest.from?.address ?? ''}, ${date}, box.modseq)`
}

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

/** The columns of a message that lists show. */
export type SummaryRow = Pick<Selectable<MessagesTable>, (typeof summary)[number]>

export const summaryColumns = summary.map((column) => `messages.${column}` as const)

/** For raw SQL in which the table is `m`. */
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

/** For queries of later rooms. */
export const messageRows = (db: Db) =>
  db
    .selectFrom('messages')
    .select(['id', 'workspaceId', 'mailboxId', 'folderId', 'messageId', 'inReplyTo', 'references'])
    .select(['blob', 'mailFrom', 'from', 'to', 'cc', 'subject', 'date', 'authentication'])
    .select(['isRead', 'isStarred', 'isAnswered', 'isDraft', 'sizeBytes'])

/** The sizes of a mailbox's folders, largest first. */
export const sizesOfFolders = (
  db: Db,
  { workspaceId, mailboxId }: Omit<MessagePlace, 'messageId'>,
) =>
  db
    .selectFrom(folderRows(db).as('folders'))
    .leftJoin('messages', (on) =>
      on
        .onRef('messages.folderId', '=', 'folders.id')
        .onRef('messages.workspaceId', '=', 'folders.workspaceId'),
    )
    .select([
      'folders.id',
      'folders.role',
      'folders.name',
      'folders.messageCount',
      sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'),
    ])
    .where('folders.workspaceId', '=', workspaceId)
    .where('folders.mailboxId', '=', mailboxId)
    .groupBy(['folders.id', 'folders.role', 'folders.name', 'folders.messageCount'])
    .orderBy('bytes', 'desc')
    .orderBy('folders.name')
    .execute()

export type MessagePlace = { workspaceId: string; mailboxId: string; messageId: string }

export const findMessage = (db: Db, place: MessagePlace) =>
  db
    .selectFrom('messages')
    .innerJoin(folderRows(db).as('folders'), (on) =>
      on
        .onRef('folders.id', '=', 'messages.folderId')
        .onRef('folders.workspaceId', '=', 'messages.workspaceId'),
    )
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

/** What came into Sent with this Message-ID since then, the newest first. */
export const findSentCopies = (
  db: Db,
  { workspaceId, mailboxId }: Omit<MessagePlace, 'messageId'>,
  messageId: string,
  since: Date,
) =>
  db
    .selectFrom('messages')
    .innerJoin(folderRows(db).as('folders'), (on) =>
      on
        .onRef('folders.id', '=', 'messages.folderId')
        .onRef('folders.workspaceId', '=', 'messages.workspaceId'),
    )
    .select('messages.id')
    .where('messages.workspaceId', '=', workspaceId)
    .where('messages.mailboxId', '=', mailboxId)
    .where('messages.messageId', '=', messageId)
    .where('messages.savedAt', '>=', since)
    .where('folders.role', '=', 'sent')
    .orderBy('messages.savedAt', 'desc')
    .limit(10)
    .execute()

/** The mailbox of the workspace that has this Message-ID in Sent; null: none. */
export const findSenderOf = async (
  db: Db,
  workspaceId: string,
  messageId: string,
): Promise<string | null> => {
  const row = await db
    .selectFrom(mailboxRows(db).where('workspaceId', '=', workspaceId).as('b'))
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom('messages')
          .innerJoin(folderRows(db).as('folders'), (on) =>
            on
              .onRef('folders.id', '=', 'messages.folderId')
              .onRef('folders.workspaceId', '=', 'messages.workspaceId'),
          )
          .select('messages.id')
          .whereRef('messages.mailboxId', '=', 'b.id')
          .where('messages.messageId', '=', messageId)
          .where('folders.role', '=', 'sent')
          .limit(1)
          .as('m'),
      (join) => join.onTrue(),
    )
    .select('b.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The newest message with this Message-ID, in whatever folder. */
export const findByMessageId = async (
  db: Db,
  { workspaceId, mailboxId }: Omit<MessagePlace, 'messageId'>,
  messageId: string,
) => {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('messageId', '=', messageId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && findMessage(db, { workspaceId, mailboxId, messageId: row.id })
}
