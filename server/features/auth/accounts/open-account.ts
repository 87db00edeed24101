import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { type UserRecord, updateUser } from '../auth-store.ts'
import { openWorkspace } from './open-workspace.ts'

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
