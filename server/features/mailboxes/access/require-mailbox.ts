import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMailbox, announceMembership } from '#server/storage/notifications.ts'
import {
  findMailbox,
  findMember,
  findReaders,
  lockMailbox,
  type MailboxRow,
  type PersonRow,
} from './access-store.ts'

/** @throws NOT_EXISTS */
export const requireMailbox = async (app: App, who: Who, id: string): Promise<MailboxRow> => {
  const mailbox = isId(id) ? await findMailbox(app.db, who.workspaceId, id) : undefined
  if (!mailbox) throw new AppError('NOT_EXISTS')
  return mailbox
}

export type Held = { tx: Db; mailbox: MailboxRow; caller: PersonRow }

/**
 * Changes the access of a mailbox, one after the other; pages that show it read it again.
 * @throws NOT_EXISTS; FORBIDDEN when the caller left the workspace meanwhile
 */
export const changeAccess = async <T>(
  app: App,
  who: Who,
  id: string,
  change: (held: Held) => Promise<T>,
): Promise<T> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  return inTransaction(app.db, async (tx) => {
    // Whoever is taken out of the workspace meanwhile loses what they were given.
    await lockWorkspaces(tx, [workspaceId])
    const caller = await findMember(tx, workspaceId, who.userId)
    if (!caller) throw new AppError('FORBIDDEN')
    const mailbox = await lockMailbox(tx, workspaceId, id)
    if (!mailbox) throw new AppError('NOT_EXISTS')
    const result = await change({ tx, mailbox, caller })
    // Who may hear of its mail, before what there is to hear.
    await announceMembership(tx)
    await announceMailbox(tx, { workspaceId, mailboxId: mailbox.id })
    return result
  })
}

/**
 * Whoever makes a link could open it and read the mail: so an Editor makes one of mailboxes that they read anyway.
 */
export const canSetUp = async (
  db: Db,
  { workspaceId, userId, role }: Pick<Who, 'workspaceId' | 'userId' | 'role'>,
  mailboxId: string,
): Promise<boolean> => {
  if (!memberCan(role, 'set-up-access')) return false
  if (memberCan(role, 'give-mailboxes')) return true
  const readers = await findReaders(db, workspaceId, mailboxId)
  return readers.some((reader) => reader.userId === userId)
}
