/** Checks the right to read a mailbox. No role includes it; only the mailbox's readers have it. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { type FolderState, readableFolders } from './folder-queries.ts'
import { findReadable } from './mailbox-queries.ts'

/** @throws NOT_EXISTS when the workspace has no such mailbox, FORBIDDEN when the caller is not a reader. */
export const openMailbox = async (app: App, who: Who, mailboxId: string) => {
  const mailbox = isId(mailboxId)
    ? await findReadable(app.db, who, mailboxId, app.clock.now())
    : undefined
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  if (mailbox.readerId === null) throw new AppError('FORBIDDEN')
  return mailbox
}

/**
 * The folders of a mailbox in the order of their names, with the right to read it in the same statement. `folderId`: only this one.
 * @throws NOT_EXISTS when the workspace has no such mailbox, FORBIDDEN when the caller is not a reader.
 */
export const openFolders = async (
  app: App,
  who: Who,
  mailboxId: string,
  folderId?: string,
): Promise<FolderState[]> => {
  const place = { workspaceId: who.workspaceId, mailboxId }
  const rows = isId(mailboxId)
    ? await readableFolders(
        app.db,
        { ...place, userId: who.userId, now: app.clock.now() },
        folderId,
      )
    : []
  if (rows.length === 0) throw new AppError('NOT_EXISTS')
  if (rows[0]?.readerId === null) throw new AppError('FORBIDDEN')
  return rows.flatMap(({ readerId: _, ...folder }) => (folder.id === null ? [] : [folder]))
}
