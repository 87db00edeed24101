import { AppError } from '#contract/errors.ts'
import { type ConversationMessage, MAX_CONVERSATION } from '#contract/mail/conversations.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { openMailbox } from '../mailbox-access.ts'
import { foldersOf } from '../messages-store.ts'
import { folderName, toSummary } from '../reading/to-summary.ts'
import { messagesOfThread } from './conversations-store.ts'

/** What was written before and after a message, answers in Sent too; the latest 100, oldest first. */
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
