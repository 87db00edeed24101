import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { MessagesTable } from './mailbox-tables.ts'

/** The searched text of a message. The vector has weights: A subject, B sender, C recipients; its letters are folded. */
export type MessageTextsTable = {
  messageId: string
  workspaceId: string
  mailboxId: string
  search: string
  /** Subject and people in lower case, folded, for searching parts of words. */
  head: string
  /** For sent mail: the subject without 'Re:', to thread answers without references; null otherwise. */
  sentSubject: string | null
  date: Date
}

/** What `standards/mime/structure` reads of a mail, as JSON; no list or search reads it (decision 090). */
export type MessageStructuresTable = {
  mailboxId: string
  messageId: string
  workspaceId: string
  structure: string
  /** null: written by a version that did not know them. */
  envelope: string | null
  bodyStructure: string | null
}

/** Where the bytes of removed rows were: a segment, or a large blob by its hash. Written by triggers. */
export type FreedBlobsTable = {
  id: Generated<number>
  place: string
  at: Generated<Date>
  /** Of those in a segment; null: of a file, or of before. */
  bytes: number | null
}

/** How many bytes were freed in a segment since the sweep last looked at it; some of them twice. */
export type FreedSegmentsTable = { place: string; bytes: number }

/** How far the mail of before migration 0063 has got its structures: all whose id is not below. No row: all of it. */
export type StructureFillingTable = { below: string }

/** How far the mail of before migration 0044 has been folded: all but the texts of messages whose id is below. No row: all of it. */
export type TextFoldingTable = { below: string }

/** A thread in one folder; maintained by triggers. */
export type ConversationsTable = {
  folderId: string
  threadId: string
  workspaceId: string
  mailboxId: string
  latestId: string
  date: Date
  messages: number
  unread: number
  starred: number
}

/** The number of a folder's conversations per day (UTC) of their latest message; maintained by triggers. */
export type FolderDaysTable = {
  folderId: string
  day: string
  conversations: number
}

/** The state of a message before a bulk change, for undo. */
export type MessageBefore = Pick<
  Selectable<MessagesTable>,
  'id' | 'folderId' | 'isRead' | 'isStarred'
>

/** The changes of one request, kept for a while for undo. */
export type BulkChangesTable = {
  id: string
  workspaceId: string
  mailboxId: string
  at: Date
  /** `to`: the folder that the messages were moved to; null when they were not moved. */
  changed: JSONColumnType<{ to: string | null; before: MessageBefore[] }, string, string>
}

/** Messages of which only the header was parsed in time. */
export type MessagesReadInPartTable = {
  messageId: string
  mailboxId: string
  workspaceId: string
  tries: Generated<number>
  dueAt: Date
}

/** A keyword that a mail program gave to a message; any case of its letters is the same keyword. */
export type MailboxKeywordsTable = {
  mailboxId: string
  workspaceId: string
  keyword: string
  /** From 1: the order in which they came. */
  place: number
}
