/** Reading somebody's mail is a right of its own: no role has it, only the readers of the mailbox. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { findReadable } from './readable-store.ts'

/** @throws NOT_EXISTS for a mailbox of no or another workspace, FORBIDDEN for one that is not theirs to read. */
export const openMailbox = async (app: App, who: Who, mailboxId: string) => {
  const mailbox = isId(mailboxId)
    ? await findReadable(app.db, who.workspaceId, who.userId, mailboxId)
    : undefined
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  if (mailbox.readerId === null) throw new AppError('FORBIDDEN')
  return mailbox
}
