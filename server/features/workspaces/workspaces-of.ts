/** Workspaces: the tenants. */
import type { Workspace } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { findWorkspaces } from './workspaces-store.ts'

/** The caller's, oldest first; `isCurrent` marks the one that requests without a header speak about. */
export const workspacesOf = async (app: App, who: Who): Promise<Workspace[]> => {
  const rows = await findWorkspaces(app.db, who.userId)
  const current = rows.find((row) => row.isChosen) ?? rows[0]
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    role: row.role,
    isCurrent: row === current,
  }))
}
