import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { ownWorkspace } from './own-workspace.ts'
import { toWorkspace } from './workspaces-of.ts'
import { setWorkspaceName } from './workspaces-store.ts'

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
