import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { announceMailboxes } from '../place-mailboxes.ts'
import { deleteAlias } from './aliases-store.ts'

/** The mail that came by it stays. */
export const removeAlias = async (
  app: App,
  who: Who,
  mailboxId: string,
  id: string,
): Promise<void> => {
  if (!isId(mailboxId) || !isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  await app.db.transaction().execute(async (tx) => {
    if (!(await deleteAlias(tx, { workspaceId, mailboxId, id }))) throw new AppError('NOT_EXISTS')
    await announceMailboxes(tx, workspaceId)
  })
}
