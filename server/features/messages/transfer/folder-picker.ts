/** Which folder a message of an mbox file goes to: the one that was chosen, else where the file says, else Archive. */
import { MAX_OWN_FOLDERS } from '#contract/mail/own-folders.ts'
import type { FolderRole } from '#contract/messages.ts'
import { newId } from '#server/lib/ids.ts'
import type { MboxFields } from '#server/standards/mbox/mbox-fields.ts'
import type { Db } from '#server/storage/database.ts'
import { insertFolder } from '../folders/folders-store.ts'
import { type FolderRow, foldersOf } from '../messages-store.ts'
import type { ImportRow } from './imports-store.ts'

type Folder = { id: string; role: FolderRole | null }

/** Folders that are missing are made, in the transaction. The mailbox is locked. */
export const folderPicker = async (tx: Db, { workspaceId, mailboxId, folderId }: ImportRow) => {
  const folders: FolderRow[] = await foldersOf(tx, workspaceId, mailboxId)
  const chosen = folders.find(({ id }) => id === folderId)
  const named = async (typed: string): Promise<Folder | undefined> => {
    const name = tidy(typed)
    const found = folders.find((folder) => folder.name.toLowerCase() === name.toLowerCase())
    const own = folders.filter(({ role }) => role === null).length
    if (found !== undefined || name === '' || own >= MAX_OWN_FOLDERS) return found
    const made = await insertFolder(tx, { workspaceId, mailboxId }, { id: newId(), name })
    folders.push(made)
    return made
  }
  return async (wanted: readonly MboxFields['folder'][]): Promise<Folder> => {
    if (chosen !== undefined) return chosen
    for (const place of [...wanted, { role: 'archive' }]) {
      const found =
        'role' in place ? folders.find(({ role }) => role === place.role) : await named(place.name)
      if (found !== undefined) return found
    }
    throw new Error(`mailbox ${mailboxId} has no Archive`)
  }
}

const MAX_NAME = 60

const tidy = (name: string): string =>
  name
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()
    .slice(0, MAX_NAME)
    .trim()
