import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import {
  findUserByEmail,
  insertUser,
  lockUserByEmail,
  spendMailLinks,
  type UserRecord,
  updateUser,
} from '../auth-store.ts'

/** One that nobody has proven counts as none. */
export const hasAccount = async (db: Db, email: string): Promise<boolean> => {
  const user = await findUserByEmail(db, email)
  return user !== undefined && user.verifiedAt !== null
}

/**
 * An account whose address is proven by a mailed invitation; without a workspace of its own. A sign-up that
 * waits for the same address gives way: whoever made it may not own the address.
 * @throws USER_ALREADY_EXISTS
 */
export const openInvitedAccount = async (
  app: App,
  tx: Db,
  proven: Pick<UserRecord, 'email' | 'firstName' | 'lastName' | 'passwordHash'>,
): Promise<UserRecord> => {
  const now = app.clock.now()
  const opened = { ...proven, verifiedAt: now }
  const user: UserRecord = {
    ...opened,
    id: newId(),
    avatar: null,
    currentWorkspaceId: null,
    lastLoginAt: null,
    createdAt: now,
    mailboxId: null,
  }
  if (await insertUser(tx, user)) return user
  const waiting = await lockUserByEmail(tx, proven.email)
  if (!waiting || waiting.verifiedAt) throw new AppError('USER_ALREADY_EXISTS')
  await updateUser(tx, waiting.id, opened)
  await spendMailLinks(tx, waiting.id, 'email-verification', now)
  await spendMailLinks(tx, waiting.id, 'reset-password', now)
  return { ...waiting, ...opened }
}
