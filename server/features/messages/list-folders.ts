import { AppError } from '#contract/errors.ts'
import { SLASH } from '#contract/mail/own-folders.ts'
import type { Folder, FolderRole } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type FolderRow, foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import type { Db } from '#server/storage/database.ts'
import { folderName, toFolder } from './to-summary.ts'

const order: (FolderRole | null)[] = ['inbox', 'drafts', 'sent', 'archive', 'junk', 'trash', null]

/** The six folders of every mailbox first, then the user's own by name, those inside one after it. */
export const listFolders = async (app: App, who: Who, mailboxId: string): Promise<Folder[]> => {
  await openMailbox(app, who, mailboxId)
  return toFolders(await foldersOf(app.db, who.workspaceId, mailboxId))
}

/** In the order of `listFolders`. */
export const toFolders = (rows: readonly FolderRow[]): Folder[] =>
  rows
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role) || byPath(a.name, b.name))
    .map(toFolder)

/** A folder stands before those inside it, and these before its neighbours: no character is less than the end. */
const byPath = (a: string, b: string): number => {
  const [one, other] = [a, b].map((name) => name.toLowerCase().replaceAll(SLASH, '\u0000'))
  return (one ?? '') < (other ?? '') ? -1 : 1
}

/** By role or id. @throws NOT_EXISTS */
export const findFolder = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  name: string,
): Promise<FolderRow> => {
  return pickFolder(await foldersOf(db, workspaceId, mailboxId), name)
}

/** By role or id. @throws NOT_EXISTS */
export const pickFolder = (rows: readonly FolderRow[], name: string): FolderRow => {
  const found = rows.find((row) => folderName(row) === name || row.id === name)
  if (found === undefined) throw new AppError('NOT_EXISTS')
  return found
}
