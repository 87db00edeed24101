import type { App } from '#server/app.ts'
import { findLiveSessions } from './session-store.ts'

/** Which of these sessions are alive, each with the workspaces of its user. */
export const liveSessions = async (
  app: App,
  sessionIds: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> => {
  const rows = await findLiveSessions(app.db, sessionIds, app.clock.now())
  const live = new Map<string, Set<string>>()
  for (const { id, workspaceId } of rows) {
    const workspaceIds = live.get(id) ?? new Set()
    if (workspaceId !== null) workspaceIds.add(workspaceId)
    live.set(id, workspaceIds)
  }
  return live
}
