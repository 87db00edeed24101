/**
 * The holder of a mailbox: a user who signs in with its address, is in no workspace, and goes when the mailbox goes. Who may
 * ask for one is no matter of this folder (decision 024).
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { deleteUnverifiedUser, insertUser, type UserRecord, updateUser } from '../auth-store.ts'
import { forgetDevices } from '../devices-store.ts'
import { forgetGuesses } from '../passwords/guesses.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import { findHolderOf } from './holders-store.ts'

type HeldMailbox = { id: string; email: string; firstName: string; lastName: string }

/**
 * The mailbox, locked, has a holder with this password: a new one, or the one who lost theirs, whose sessions and known
 * browsers end. A sign-up for the address that nobody proved gives way.
 * @throws ACCOUNT_HAS_ADDRESS
 */
export const openHolder = async (
  app: App,
  tx: Db,
  mailbox: HeldMailbox,
  { passwordHash, ip }: { passwordHash: string; ip: string },
): Promise<{ userId: string; isNew: boolean }> => {
  const now = app.clock.now()
  const { id: mailboxId, email, firstName, lastName } = mailbox
  const holder = await findHolderOf(tx, mailboxId)
  await forgetGuesses(tx, email, ip)
  if (holder) {
    await updateUser(tx, holder.id, { passwordHash })
    await endSessionsOf(tx, holder.id, now)
    await forgetDevices(tx, holder.id)
    await announceSessionsEnded(tx)
    return { userId: holder.id, isNew: false }
  }
  await deleteUnverifiedUser(tx, email)
  const user: UserRecord = {
    ...{ id: newId(), email, firstName, lastName, passwordHash, mailboxId },
    ...{ avatar: null, currentWorkspaceId: null, lastLoginAt: null },
    ...{ verifiedAt: now, createdAt: now },
  }
  if (!(await insertUser(tx, user))) throw new AppError('ACCOUNT_HAS_ADDRESS')
  return { userId: user.id, isNew: true }
}
