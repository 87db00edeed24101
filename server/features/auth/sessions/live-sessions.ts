import type { App } from '#server/app.ts'
import { findLiveSessions } from './session-store.ts'

export type LiveSession = {
  workspaceIds: ReadonlySet<string>
  /** Of a holder, who hears of this mailbox alone. */
  mailboxId: string | null
}

/** Which of these sessions are alive, each with the workspaces of its user. */
export const liveSessions = async (
  app: App,
  sessionIds: readonly string[],
): Promise<Map<string, LiveSession>> => {
  const rows = await findLiveSessions(app.db, sessionIds, app.clock.now())
  const live = new Map<string, LiveSession & { workspaceIds: Set<string> }>()
  for (const { id, workspaceId, mailboxId } of rows) {
    const session = live.get(id) ?? { workspaceIds: new Set(), mailboxId }
    if (workspaceId !== null) session.workspaceIds.add(workspaceId)
    live.set(id, session)
  }
  return live
}
