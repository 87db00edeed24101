import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { endMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { isId } from '#server/lib/ids.ts'

/** What a deleted mailbox comes to in the end, at once. */
export const deleteMailbox = async (
  app: Pick<App, 'db'>,
  { workspaceId }: Who,
  id: string,
): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute((tx) => endMailbox(tx, workspaceId, id))
}
