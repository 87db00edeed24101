/** Workspaces: the tenants, who is in them, and what they say of themselves. */
import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { findWorkspaces, type OwnWorkspace } from './workspaces-store.ts'

/** The caller's, oldest first. */
export const workspacesOf = async (app: App, who: Who): Promise<Workspace[]> =>
  (await findWorkspaces(app.db, who.userId)).map((row) => toWorkspace(row, who.workspaceId))

export const toWorkspace = (row: OwnWorkspace, currentId: string): Workspace => ({
  _id: row.id,
  name: row.name,
  role: row.role,
  isCurrent: row.id === currentId,
})
