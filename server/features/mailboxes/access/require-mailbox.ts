import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockWorkspaces } from '#server/features/workspaces/hold-right.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMailbox, announceMembership } from '#server/storage/notifications.ts'
import { lockMailbox, type MailboxRow, readMailbox } from '../mailbox-queries.ts'
import { findReaders, readsAllOf } from './access-store.ts'
import { findPerson, type PersonRow } from './people-store.ts'

/** @throws NOT_EXISTS */
export const requireMailbox = async (app: App, who: Who, id: string): Promise<MailboxRow> => {
  const mailbox = isId(id) ? await readMailbox(app.db, who.workspaceId, id) : undefined
  if (!mailbox) throw new AppError('NOT_EXISTS')
  return mailbox
}

export type Held = { tx: Db; mailbox: MailboxRow; caller: PersonRow }

/**
 * Runs a change of a mailbox's access in a transaction, one at a time, and announces it to open pages.
 * @throws NOT_EXISTS; FORBIDDEN when the caller left the workspace in the meantime
 */
export const changeAccess = async <T>(
  app: App,
  who: Who,
  id: string,
  change: (held: Held) => Promise<T>,
): Promise<T> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  return inTransaction(app, async (tx) => {
    // With the lock, a member who is being removed cannot get a right.
    await lockWorkspaces(tx, [workspaceId])
    const caller = await findPerson(tx, workspaceId, who.userId)
    if (!caller) throw new AppError('FORBIDDEN')
    const mailbox = await lockMailbox(tx, workspaceId, id)
    if (!mailbox) throw new AppError('NOT_EXISTS')
    const result = await change({ tx, mailbox, caller })
    // First: it decides which pages receive the next announcement.
    await announceMembership(tx)
    await announceMailbox(tx, { workspaceId, mailboxId: mailbox.id })
    return result
  })
}

/**
 * The maker of a link could open it and read the mail, so Editors make links only for mailboxes that they read, and whose
 * holder reads no mailbox that they do not read.
 */
export const canSetUp = async (
  app: Pick<App, 'clock'>,
  db: Db,
  { workspaceId, userId, role }: Pick<Who, 'workspaceId' | 'userId' | 'role'>,
  mailboxId: string,
): Promise<boolean> => {
  if (!memberCan(role, 'set-up-access')) return false
  if (memberCan(role, 'give-mailboxes')) return true
  const readers = await findReaders(db, workspaceId, mailboxId, app.clock.now())
  if (!readers.some((reader) => reader.userId === userId)) return false
  const holder = readers.find(({ origin }) => origin === 'holder')
  return !holder || readsAllOf(db, workspaceId, { userId, otherId: holder.userId })
}
