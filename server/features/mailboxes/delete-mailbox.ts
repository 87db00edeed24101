import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { removeMailbox } from './mailboxes-store.ts'
import { announceMailboxes } from './place-mailboxes.ts'

/** Deletes the mailbox with its mail: the same address made again starts empty. */
export const deleteMailbox = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    if (!(await removeMailbox(tx, who.workspaceId, id))) throw new AppError('NOT_EXISTS')
    await announceMailboxes(tx, who.workspaceId)
    // Its holder went with it.
    await announceSessionsEnded(tx)
  })
}
