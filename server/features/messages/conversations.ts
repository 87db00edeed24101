import { AppError } from '#contract/errors.ts'
import {
  type Conversation,
  type ConversationMessage,
  MAX_CONVERSATION,
} from '#contract/mail/conversations.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { isId } from '#server/lib/ids.ts'
import {
  type ConversationRow,
  conversationRows,
  messagesOfThread,
  namesOf,
} from './conversations-store.ts'
import { findFolder } from './list-folders.ts'
import { folderName, toPerson, toSummary } from './to-summary.ts'

export type ConversationsAsked = { folder: string; from: number; limit: number }

/** A page of a folder, latest conversation first, from any position. */
export const listConversations = async (
  app: App,
  who: Who,
  mailboxId: string,
  { folder: name, from, limit }: ConversationsAsked,
): Promise<{ items: Conversation[]; total: number; modseq: number }> => {
  const { modseq } = await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  const folder = await findFolder(app.db, workspaceId, mailboxId, name)
  const place = { workspaceId, mailboxId, folderId: folder.id }
  const { rows, total } = await conversationRows(app.db, place, { from, limit })
  return { items: rows.map(toConversation), total, modseq }
}

export const toConversation = (row: ConversationRow): Conversation => ({
  ...toSummary(row),
  isRead: row.unread === 0,
  isStarred: row.starred > 0,
  threadId: row.threadId,
  messages: row.messages,
  people: namesOf(row.people).map(toPerson),
  opens: row.opensId ?? row.id,
})

/** The latest 100 messages of a message's thread, oldest first, including answers in Sent. */
export const getConversation = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<{ threadId: string; items: ConversationMessage[] }> => {
  await openMailbox(app, who, mailboxId)
  if (!isId(messageId)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  const place = { workspaceId, mailboxId, messageId }
  const [rows, folders] = await Promise.all([
    messagesOfThread(app.db, place, MAX_CONVERSATION),
    foldersOf(app.db, workspaceId, mailboxId),
  ])
  const [first] = rows
  if (first === undefined) throw new AppError('NOT_EXISTS')
  const names = new Map(folders.map((folder) => [folder.id, folderName(folder)]))
  const items = rows.map((row) => ({
    ...toSummary(row),
    folder: names.get(row.folderId) ?? row.folderId,
  }))
  return { threadId: first.threadId, items }
}
