import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { openWorkspace } from '#server/features/auth/accounts/open-workspace.ts'
import { spendThrottle } from '#server/features/auth/throttle.ts'
import type { Who } from '#server/features/auth/who.ts'
import { announceChange, announceMembership } from '#server/storage/notifications.ts'

/** Each has a quota of its own, so they are not made by the hundred. */
const CREATING = { limit: 20, windowSeconds: 24 * 3600 }

/** @throws TOO_MANY_REQUESTS */
export const createWorkspace = async (
  app: App,
  who: Who,
  { name }: { name: string },
): Promise<Workspace> => {
  await spendThrottle(app, `create-workspace:${who.userId}`, CREATING)
  return app.db.transaction().execute(async (tx) => {
    const _id = await openWorkspace(app, tx, who.userId, name)
    await announceMembership(tx)
    // Under the workspace that the caller's pages listen to now.
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    return { _id, name, role: 'Admin', isCurrent: true }
  })
}
