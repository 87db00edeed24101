/** The user's own folders. The six standard folders cannot be changed. */
import { AppError, invalidField } from '#contract/errors.ts'
import {
  FOLDER_EXISTS,
  folderName,
  isInside,
  MAX_OWN_FOLDERS,
  ONLY_IN_OWN,
  SLASH,
  TOO_DEEP,
  TOO_MANY_FOLDERS,
} from '#contract/mail/own-folders.ts'
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
import type { Db } from '#server/storage/database.ts'
import type { MessageBefore } from '#server/storage/rows/conversation-tables.ts'
import { applyChanges, type Place, selectMessages } from './bulk-store.ts'
import { inMailbox } from './change-messages.ts'
import { noteLeftFolder } from './deleted-store.ts'
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
    await makeOuterFolders(tx, place, folders, name)
    checkRoom(folders)
    return toFolder(await insertFolder(tx, place, { id: newId(), name }))
  })

/** Makes those that the folder is to be inside, outermost first, and adds them to `folders`. */
const makeOuterFolders = async (
  tx: Db,
  place: Place,
  folders: FolderRow[],
  name: string,
): Promise<void> => {
  const parts = name.split(SLASH)
  for (let depth = 1; depth < parts.length; depth++) {
    const outer = parts.slice(0, depth).join(SLASH)
    const known = folders.find((folder) => isNamed(folder, outer))
    if (known && known.role !== null) throw invalidField('name', ONLY_IN_OWN)
    if (known) continue
    checkRoom(folders)
    folders.push(await insertFolder(tx, place, { id: newId(), name: outer }))
  }
}

/**
 * The caller has locked the mailbox. Where no more folders may be made, or none so deep, the outermost of the path is taken.
 * @returns the id
 */
export const findOrMakeFolder = async (tx: Db, place: Place, name: string): Promise<string> => {
  const folders = await foldersOf(tx, place.workspaceId, place.mailboxId)
  const found = folders.find((folder) => folder.role === null && isNamed(folder, name))
  if (found !== undefined) return found.id
  const [outermost = name, ...inner] = name.split(SLASH)
  const missing = inner.length + 1
  const own = folders.filter(({ role }) => role === null).length
  if (inner.length > 0 && (!folderName.safeParse(name).success || own + missing > MAX_OWN_FOLDERS))
    return findOrMakeFolder(tx, place, outermost)
  await makeOuterFolders(tx, place, folders, name)
  checkRoom(folders)
  return (await insertFolder(tx, place, { id: newId(), name })).id
}

const checkRoom = (folders: readonly FolderRow[]): void => {
  if (folders.filter(({ role }) => role === null).length >= MAX_OWN_FOLDERS)
    throw invalidField('name', TOO_MANY_FOLDERS)
}

export const renameFolder = (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
  name: string,
): Promise<Folder> =>
  inMailbox(app, who, mailboxId, async (tx, place) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const folder = ownFolder(folders, folderId)
    const inner = folders.filter((other) => isInside(other.name, folder.name))
    const moved = [folder, ...inner].map(({ id, name: before }) => ({
      id,
      name: `${name}${before.slice(folder.name.length)}`,
    }))
    const others = folders.filter(({ id }) => moved.every((each) => each.id !== id))
    for (const each of moved) {
      checkName(others, each.name)
      if (!folderName.safeParse(each.name).success) throw invalidField('name', TOO_DEEP)
    }
    // Innermost first: no name is taken yet when it is given.
    for (const each of moved.toSorted((a, b) => b.name.length - a.name.length))
      await writeName(tx, place, each.id, each.name)
    await makeOuterFolders(tx, place, others, name)
    return toFolder({ ...folder, name })
  })

/**
 * With those inside it; their messages go to Trash: nothing is lost by deleting a folder. They know its name, so that they can be
 * recovered into it.
 */
export const deleteFolder = (
  app: App,
  who: Who,
  mailboxId: string,
  folderId: string,
): Promise<{ message: string }> =>
  inMailbox(app, who, mailboxId, async (tx, place: Place) => {
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const folder = ownFolder(folders, folderId)
    const doomed = [folder, ...folders.filter(({ name }) => isInside(name, folder.name))]
    const trash = pickFolder(folders, 'trash')
    const until = new Date(8.64e15)
    const found: MessageBefore[] = []
    for (const { id, name } of doomed) {
      const all = { folderId: id, until, exceptThreadIds: [] }
      const inside = await selectMessages(tx, place, all)
      found.push(...inside)
      const moved = inside.map((before) => ({ before, after: { ...before, folderId: trash.id } }))
      await applyChanges(tx, moved, app.clock.now())
      const ids = inside.map((message) => message.id)
      await noteLeftFolder(tx, place, { id, name }, ids)
      await removeFolder(tx, place, id)
    }
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

const isNamed = (folder: FolderRow, name: string): boolean =>
  folder.name.toLowerCase() === name.toLowerCase()

const checkName = (folders: readonly FolderRow[], name: string): void => {
  if (folders.some((folder) => isNamed(folder, name))) throw invalidField('name', FOLDER_EXISTS)
}
