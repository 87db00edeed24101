import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { ownWorkspace } from './own-workspace.ts'
import { toWorkspace } from './workspaces-of.ts'
import { setCurrentWorkspace } from './workspaces-store.ts'

/** From now on requests without the header are about this one, in this session and the next. */
export const switchWorkspace = async (app: App, who: Who, id: string): Promise<Workspace> => {
  const workspace = await ownWorkspace(app.db, who.userId, id)
  await setCurrentWorkspace(app.db, who.userId, workspace.id)
  return toWorkspace(workspace, workspace.id)
}
