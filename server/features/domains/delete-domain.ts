import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { removeDomain } from './domains-store.ts'

/** With everything that hangs on it: records, keys, mailboxes and their mail. Whoever adds the name later starts empty. */
export const deleteDomain = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    if (!(await removeDomain(tx, who.workspaceId, id))) throw new AppError('NOT_EXISTS')
    await announceChange(tx, { topic: 'domains', workspaceId: who.workspaceId })
    await announceChange(tx, { topic: 'mailboxes', workspaceId: who.workspaceId })
  })
}
