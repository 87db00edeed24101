import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import { findReadable } from '../access-store.ts'
import type { Place } from './settings-store.ts'

/**
 * For whoever reads the mailbox, and so writes in its name, and whoever looks after mailboxes: people fall ill. None of it
 * shows a message.
 * @throws NOT_EXISTS, FORBIDDEN
 */
export const openSettings = async (app: App, who: Who, mailboxId: string): Promise<Place> => {
  await mailboxOfSettings(app, who, mailboxId)
  return { workspaceId: who.workspaceId, mailboxId }
}

/** The mailbox itself. @throws NOT_EXISTS, FORBIDDEN */
export const mailboxOfSettings = async (app: App, who: Who, mailboxId: string) => {
  const mailbox = isId(mailboxId)
    ? await findReadable(app.db, who.workspaceId, who.userId, mailboxId)
    : undefined
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  if (mailbox.readerId === null && !memberCan(who.role, 'manage-mailboxes'))
    throw new AppError('FORBIDDEN')
  return mailbox
}
