import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { settingsNow } from '#server/features/operators/chosen-settings.ts'
import { insertMember, insertWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import {
  findUserByEmail,
  insertUser,
  lockUserByEmail,
  spendMailLinks,
  type UserRecord,
  updateUser,
} from './auth-store.ts'

/**
 * Opens the account of a proven address with these names, this password and a workspace of its
 * own. No value of a sign-up takes effect before.
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

/** Makes a workspace with the user as Admin and makes it their current one. @returns its id. */
export const openWorkspace = async (
  app: App,
  tx: Db,
  userId: string,
  name: string,
): Promise<string> => {
  const createdAt = app.clock.now()
  const id = newId(createdAt.getTime())
  const { storageQuotaBytes } = await settingsNow({ ...app, db: tx })
  const workspace = { id, name, storageQuotaBytes, createdAt }
  await insertWorkspace(tx, workspace)
  await insertMember(tx, { workspaceId: id, userId, role: 'Admin', createdAt })
  await updateUser(tx, userId, { currentWorkspaceId: id })
  return id
}

/** An unverified account counts as none. */
export const hasAccount = async (db: Db, email: string): Promise<boolean> => {
  const user = await findUserByEmail(db, email)
  return user !== undefined && user.verifiedAt !== null
}

/**
 * Opens an account whose address a mailed invitation proves, without a workspace of its own. An unverified
 * sign-up with the same address is deleted: its creator may not own the address.
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
