import { AppError } from '#contract/errors.ts'
import type { MessageSummary } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { touchFolder } from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { leaveFolder } from './change-log/tombstones-store.ts'
import { changeRow, type LockedMessage, lockMessage, removeMessage } from './change-queries.ts'
import { learnFrom } from './learn-from.ts'
import { findFolder } from './list-folders.ts'
import { toSummary } from './to-summary.ts'

export type MessageChanges = {
  isRead?: boolean | undefined
  isStarred?: boolean | undefined
  /** Role or id of the folder to move to. */
  folder?: string | undefined
}

export const changeMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
  changes: MessageChanges,
): Promise<MessageSummary> =>
  withMessage(app, who, mailboxId, messageId, async (tx, message, at) => {
    const isRead = changes.isRead ?? message.isRead
    const isStarred = changes.isStarred ?? message.isStarred
    const { workspaceId } = who
    const target =
      changes.folder === undefined
        ? null
        : await findFolder(tx, workspaceId, mailboxId, changes.folder)
    if (target !== null && target.id !== message.folderId) {
      const from = await findFolder(tx, workspaceId, mailboxId, message.folderId)
      const roles = { from: from.role, to: target.role }
      await learnFrom(tx, { workspaceId, mailboxId, messageId }, roles)
      return toSummary(await move(tx, message, { folderId: target.id, isRead, isStarred, at }))
    }
    const { modseq } = await touchFolder(tx, message.folderId, {
      messages: 0,
      unread: Number(message.isRead) - Number(isRead),
      uids: 0,
    })
    return toSummary(await changeRow(tx, message.id, { isRead, isStarred, modseq }))
  })

/** Moves the message to Trash; from Trash and Drafts it is deleted permanently. */
export const deleteMessage = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<{ message: string }> =>
  withMessage(app, who, mailboxId, messageId, async (tx, message, at) => {
    const from = await findFolder(tx, who.workspaceId, mailboxId, message.folderId)
    if (from.role === 'trash' || from.role === 'drafts') {
      await removeMessage(tx, mailboxId, message, { why: 'deleted', at })
      return { message: 'Deleted' }
    }
    const trash = await findFolder(tx, who.workspaceId, mailboxId, 'trash')
    const { isRead, isStarred } = message
    await move(tx, message, { folderId: trash.id, isRead, isStarred, at })
    return { message: 'Moved to Trash' }
  })

/** A moved message gets a new uid in the target folder (RFC 3501 §2.3.1.1). */
const move = async (
  tx: Db,
  message: LockedMessage,
  to: { folderId: string; isRead: boolean; isStarred: boolean; at: Date },
) => {
  const { folderId, isRead, isStarred, at } = to
  await leaveFolder(tx, message.folderId, [message], { why: 'moved', at })
  const { uid, modseq } = await touchFolder(tx, folderId, {
    messages: 1,
    unread: isRead ? 0 : 1,
    uids: 1,
  })
  return changeRow(tx, message.id, { isRead, isStarred, folderId, uid, modseq, savedAt: at })
}

const withMessage = async <T>(
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
  change: (tx: Db, message: LockedMessage, at: Date) => Promise<T>,
): Promise<T> => {
  await openMailbox(app, who, mailboxId)
  if (!isId(messageId)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  const answer = await app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    const message = await lockMessage(tx, { workspaceId, mailboxId, messageId })
    if (message === undefined) throw new AppError('NOT_EXISTS')
    const changed = await change(tx, message, app.clock.now())
    await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
    return changed
  })
  app.caches.junkModels.delete(mailboxId)
  return answer
}
