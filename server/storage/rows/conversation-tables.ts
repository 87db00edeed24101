import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { MessagesTable } from './mailbox-tables.ts'

/** What is searched of a message: its vector is weighted, A the subject, B the sender, C the recipients. */
export type MessageTextsTable = {
  messageId: string
  workspaceId: string
  mailboxId: string
  search: string
  /** Subject and people, lower case, for parts of words. */
  head: string
  /** Of sent mail: the subject without 'Re:', for answers that name nothing else. */
  sentSubject: string | null
  date: Date
}

/** A thread in one folder; kept by triggers. */
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

/** How many conversations of a folder are of one day (UTC), by their latest message; kept by triggers. */
export type FolderDaysTable = {
  folderId: string
  day: string
  conversations: number
}

/** What a message was before a change of many, for undo. */
export type MessageBefore = Pick<
  Selectable<MessagesTable>,
  'id' | 'folderId' | 'isRead' | 'isStarred'
>

/** What one request changed, kept a while so that it can be taken back. */
export type BulkChangesTable = {
  id: string
  workspaceId: string
  mailboxId: string
  at: Date
  /** Where the messages went, null when they stayed. */
  changed: JSONColumnType<{ to: string | null; before: MessageBefore[] }, string, string>
}

/** Of these only the header could be read in time. */
export type MessagesReadInPartTable = {
  messageId: string
  mailboxId: string
  workspaceId: string
  tries: Generated<number>
  dueAt: Date
}
