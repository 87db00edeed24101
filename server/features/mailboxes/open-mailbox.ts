/** Checks the right to read a mailbox. No role includes it; only the mailbox's readers have it. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
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
