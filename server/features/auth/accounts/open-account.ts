import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { insertWorkspaceOf, type UserRecord, updateUser } from '../auth-store.ts'

/** design.md: 75 GB is the default quota of a workspace. */
const DEFAULT_QUOTA_BYTES = 75_000_000_000

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
  const workspace = {
    id: newId(now.getTime()),
    name: `${proven.firstName}’s workspace`,
    storageQuotaBytes: DEFAULT_QUOTA_BYTES,
    createdAt: now,
  }
  await insertWorkspaceOf(tx, user.id, workspace)
  return { ...opened, currentWorkspaceId: workspace.id }
}
