import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import {
  findUserByEmail,
  insertUser,
  insertWorkspaceOf,
  lockUserByEmail,
  spendMailLinks,
  type UserRecord,
  updateUser,
} from './auth-store.ts'

/**
 * The address is proven: the account opens with these names and this password, and with a workspace of its
 * own. Nothing that a sign-up said takes effect before.
 */
export const openAccount = async (
  app: App,
  tx: Db,
  user: UserRecord,
  proven: Pick<UserRecord, 'firstName' | 'lastName' | 'passwordHash'>,
): Promise<UserRecord> => {
  const now = app.clock.now()
  const opened = { ...user, ...proven, verifiedAt: now }
  await updateUser(tx, user.id, { ...proven, verifiedAt: now })
  if (user.currentWorkspaceId !== null) return opened
  const name = `${proven.firstName}’s workspace`
  return { ...opened, currentWorkspaceId: await openWorkspace(app, tx, user.id, name) }
}

/** design.md: 75 GB is the default quota of a workspace. */
const DEFAULT_QUOTA_BYTES = 75_000_000_000

/** A new workspace with the user as its Admin; it becomes their current one. Returns its id. */
export const openWorkspace = async (
  app: App,
  tx: Db,
  userId: string,
  name: string,
): Promise<string> => {
  const createdAt = app.clock.now()
  const id = newId(createdAt.getTime())
  const workspace = { id, name, storageQuotaBytes: DEFAULT_QUOTA_BYTES, createdAt }
  await insertWorkspaceOf(tx, userId, workspace)
  return id
}

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
