/** Workspaces: the tenants, who is in them, and what they say of themselves. */

import type { User } from '#contract/auth.ts'
import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { openWorkspace } from '#server/features/accounts/open-account.ts'
import { setCurrentWorkspace } from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { actorOf } from '#server/features/accounts/who.ts'
import { recordChange } from '#server/features/audit/record-change.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { setWorkspaceName } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS } from '#server/lib/clock.ts'
import { announceChange, announceMembership } from '#server/storage/notifications.ts'
import { ownWorkspace } from './own-workspace.ts'
import { findWorkspaces, type OwnWorkspace } from './workspaces-store.ts'

/** The caller's, oldest first. */
export const workspacesOf = async (app: App, who: Who): Promise<Workspace[]> =>
  (await findWorkspaces(app.db, who.userId)).map((row) => toWorkspace(row, who.workspaceId))

export const toWorkspace = (row: OwnWorkspace, currentId: string): Workspace => ({
  _id: row.id,
  name: row.name,
  role: row.role,
  isCurrent: row.id === currentId,
  endsAt: row.endsAt?.toISOString() ?? null,
  suspendedFor: row.suspendedAt === null ? null : row.suspendedFor,
  factorDueAt: row.factorDueAt?.toISOString() ?? null,
})

/** Each has a quota of its own, so they are not made by the hundred. */
const CREATING = { limit: 20, windowSeconds: DAY_SECONDS }

/** @throws TOO_MANY_REQUESTS */
export const createWorkspace = async (
  app: App,
  who: Who & { user: Pick<User, 'name' | 'email'> },
  { name }: { name: string },
): Promise<Workspace> => {
  await spendThrottle(app, `create-workspace:${who.userId}`, CREATING)
  return app.db.transaction().execute(async (tx) => {
    const _id = await openWorkspace(app, tx, who.userId, name)
    await recordChange(tx, app.clock.now(), actorOf(who), {
      ...{ workspaceId: _id, topic: 'settings', action: 'createWorkspace' },
      ...{ what: 'Create the workspace', object: name },
    })
    await announceMembership(tx)
    // Under the workspace that the caller's pages listen to now.
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    return toWorkspace(await ownWorkspace(tx, who.userId, _id), _id)
  })
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const renameWorkspace = (
  app: App,
  who: Who,
  id: string,
  { name }: { name: string },
): Promise<Workspace> =>
  app.db.transaction().execute(async (tx) => {
    const workspace = await ownWorkspace(tx, who.userId, id, 'manage-company')
    await setWorkspaceName(tx, workspace.id, name)
    await announceChange(tx, { topic: 'workspaces', workspaceId: workspace.id })
    return toWorkspace({ ...workspace, name }, who.workspaceId)
  })

/** From now on requests without the header are about this one, in this session and the next. */
export const switchWorkspace = async (app: App, who: Who, id: string): Promise<Workspace> => {
  const workspace = await ownWorkspace(app.db, who.userId, id)
  await setCurrentWorkspace(app.db, who.userId, workspace.id)
  return toWorkspace(workspace, workspace.id)
}
