/** Folders as mail programs list them: their state, what they hold, and whether they are subscribed. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderState, writeSubscription } from '#server/features/mailboxes/folder-queries.ts'
import { openFolders, openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { openPlace } from './in-folder.ts'
import { type FolderUse, useOfFolders } from './uid-store.ts'

export type { FolderState, FolderUse }

/** Of all folders, in the order of their names. @throws NOT_EXISTS, FORBIDDEN */
export const readFolderStates = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<FolderState[]> => openFolders(app, who, mailboxId)

/** By the id of the folder; a folder without messages is not in it. @throws NOT_EXISTS, FORBIDDEN */
export const readFolderUse = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<Map<string, FolderUse>> => {
  await openMailbox(app, who, mailboxId)
  const rows = await useOfFolders(app.db, { workspaceId: who.workspaceId, mailboxId })
  return new Map(rows.map((row) => [row.folderId, row]))
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const subscribe = async (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
  isSubscribed: boolean,
): Promise<void> => {
  const place = await openPlace(app, who, { mailboxId, folderId })
  const { workspaceId } = place
  await app.db.transaction().execute(async (tx) => {
    await writeSubscription(tx, place, folderId, isSubscribed)
    await announceChange(tx, { topic: 'messages', workspaceId, mailboxId })
  })
}
