/** The user's own folders. The six standard folders cannot be changed. */
import { AppError, invalidField } from '#contract/errors.ts'
import { FOLDER_EXISTS, MAX_OWN_FOLDERS, TOO_MANY_FOLDERS } from '#contract/mail/own-folders.ts'
import type { Folder } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import {
  type FolderRow,
  foldersOf,
  insertFolder,
  removeFolder,
  writeName,
} from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { newId } from '#server/lib/ids.ts'
import { applyChanges, type Place, selectMessages } from './bulk-store.ts'
import { inMailbox } from './change-messages.ts'
import { pickFolder } from './list-folders.ts'
import { toFolder } from './to-summary.ts'

export const createFolder = (
  app: App,
  who: Who,
  mailboxId: string,
  name: string,
): Promise<Folder> =>
  inMailbox(app, who, mailboxId, async (tx, place) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    checkName(folders, name)
    if (folders.filter(({ role }) => role === null).length >= MAX_OWN_FOLDERS)
      throw invalidField('name', TOO_MANY_FOLDERS)
    return toFolder(await insertFolder(tx, place, { id: newId(), name }))
  })

export const renameFolder = (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
  name: string,
): Promise<Folder> =>
  inMailbox(app, who, mailboxId, async (tx, place) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const { id } = ownFolder(folders, folderId)
    checkName(
      folders.filter((other) => other.id !== id),
      name,
    )
    return toFolder(await writeName(tx, place, id, name))
  })

/** Its messages go to Trash: nothing is lost by deleting a folder. */
export const deleteFolder = (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
): Promise<{ message: string }> =>
  inMailbox(app, who, mailboxId, async (tx, place: Place) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const folder = ownFolder(folders, folderId)
    const trash = pickFolder(folders, 'trash')
    const until = new Date(8.64e15)
    const all = { folderId: folder.id, until, exceptThreadIds: [] }
    const found = await selectMessages(tx, place, all)
    const moved = found.map((before) => ({ before, after: { ...before, folderId: trash.id } }))
    await applyChanges(tx, moved)
    await removeFolder(tx, place, folder.id)
    return { message: found.length === 0 ? 'Deleted' : 'Deleted; its messages are in Trash' }
  })

/** Checks that the caller may read the mailbox, and that the folder is not a standard one. @throws NOT_EXISTS, FORBIDDEN */
export const requireOwnFolder = async (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
): Promise<void> => {
  await openMailbox(app, who, mailboxId)
  ownFolder(await foldersOf(app.db, who.workspaceId, mailboxId), folderId)
}

const ownFolder = (folders: readonly FolderRow[], folderId: string): FolderRow => {
  const found = folders.find(({ id, role }) => id === folderId && role === null)
  if (found === undefined) throw new AppError('NOT_EXISTS')
  return found
}

const checkName = (folders: readonly FolderRow[], name: string): void => {
  const isTaken = folders.some((folder) => folder.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw invalidField('name', FOLDER_EXISTS)
}
