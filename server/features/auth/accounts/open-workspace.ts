import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { insertWorkspaceOf } from '../auth-store.ts'

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
