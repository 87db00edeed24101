import type { Conversation } from '#contract/mail/conversations.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { openMailbox } from '../mailbox-access.ts'
import { findFolder } from '../reading/list-folders.ts'
import { toPerson, toSummary } from '../reading/to-summary.ts'
import { type ConversationRow, conversationRows, namesOf } from './conversations-store.ts'

export type ConversationsAsked = { folder: string; from: number; limit: number }

/** A page of a folder, latest conversation first, from any position. */
export const listConversations = async (
  app: App,
  who: Who,
  mailboxId: string,
  { folder: name, from, limit }: ConversationsAsked,
): Promise<{ items: Conversation[]; total: number }> => {
  await openMailbox(app, who, mailboxId)
  const { workspaceId } = who
  const folder = await findFolder(app.db, workspaceId, mailboxId, name)
  const place = { workspaceId, mailboxId, folderId: folder.id }
  const { rows, total } = await conversationRows(app.db, place, { from, limit })
  return { items: rows.map(toConversation), total }
}

const toConversation = (row: ConversationRow): Conversation => ({
  ...toSummary(row),
  isRead: row.unread === 0,
  isStarred: row.starred > 0,
  threadId: row.threadId,
  messages: row.messages,
  people: namesOf(row.people).map(toPerson),
  opens: row.opensId ?? row.id,
})
