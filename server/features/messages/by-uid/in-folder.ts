/** How every verb of this folder begins: the right to the mailbox, the folder, and the lock where mail changes. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderState, folderStates } from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { openFolders, openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import type { Place } from '../bulk-store.ts'
import type { FolderPlace } from '../structures/structures-store.ts'

/** What a caller names; the workspace is that of `who`. */
export type FolderAt = Pick<FolderPlace, 'mailboxId' | 'folderId'>

/** @throws NOT_EXISTS when the mailbox has no such folder */
export const requireFolder = async (
  db: Db,
  place: Place,
  folderId: string,
): Promise<FolderState> => {
  const [state] = isId(folderId) ? await folderStates(db, place, folderId) : []
  if (state === undefined) throw new AppError('NOT_EXISTS')
  return state
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const openPlace = async (
  app: App,
  who: Who,
  { mailboxId, folderId }: FolderAt,
): Promise<FolderPlace> => {
  const [folder] = isId(folderId) ? await openFolders(app, who, mailboxId, folderId) : []
  if (folder === undefined) throw new AppError('NOT_EXISTS')
  return { workspaceId: who.workspaceId, mailboxId, folderId }
}

export type Change = { tx: Db; place: FolderPlace; folder: FolderState }

/**
 * Changes mail of a folder, one change of the mailbox after the other. Open pages are told only where it is one: mail programs
 * repeat what is so already. @throws NOT_EXISTS, FORBIDDEN
 */
export const inFolder = async <Answer>(
  app: App,
  who: Who,
  { mailboxId, folderId }: FolderAt,
  change: (change: Change) => Promise<{ answer: Answer; isChange: boolean }>,
): Promise<Answer> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  return app.db.transaction().execute(async (tx) => {
    await lockMailOf(tx, mailboxId)
    const folder = await requireFolder(tx, place, folderId)
    const { answer, isChange } = await change({ tx, place: { ...place, folderId }, folder })
    if (isChange) await announceChange(tx, { topic: 'messages', ...place })
    return answer
  })
}
