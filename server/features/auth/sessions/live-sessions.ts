import type { Changed } from '#contract/events.ts'
import { type CallerRole, memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { findLiveSessions, findMailboxesReadBy } from './session-store.ts'

/** What a session may hear of, by workspace. */
export type LiveSession = ReadonlyMap<string, { role: CallerRole; mailboxIds: ReadonlySet<string> }>

/** Which of these sessions are alive, each with the workspaces of its user and the mailboxes that they read there. */
export const liveSessions = async (
  app: App,
  sessionIds: readonly string[],
): Promise<Map<string, LiveSession>> => {
  const rows = await findLiveSessions(app.db, sessionIds, app.clock.now())
  const readers = rows.filter(({ role }) => role !== null && !memberCan(role, 'see-mailboxes'))
  const read = await mailboxesOf(app, [...new Set(readers.map(({ userId }) => userId))])
  const live = new Map<string, Map<string, { role: CallerRole; mailboxIds: Set<string> }>>()
  for (const { id, userId, workspaceId, role } of rows) {
    const session = live.get(id) ?? new Map()
    live.set(id, session)
    if (workspaceId === null || role === null) continue
    session.set(workspaceId, { role, mailboxIds: read.get(userId) ?? new Set() })
  }
  return live
}

/** Of mail whoever sees all mailboxes hears, others of those that they read, and a holder of nothing else. */
export const mayHear = (
  session: LiveSession,
  { topic, workspaceId, mailboxId }: Changed,
): boolean => {
  const place = session.get(workspaceId)
  if (!place) return false
  const { role, mailboxIds } = place
  if (topic === 'messages' && mailboxId !== undefined)
    return memberCan(role, 'see-mailboxes') || mailboxIds.has(mailboxId)
  return memberCan(role, topic === 'invoices' ? 'manage-billing' : 'see-workspace')
}

const mailboxesOf = async (
  app: App,
  userIds: readonly string[],
): Promise<Map<string, Set<string>>> => {
  const read = new Map<string, Set<string>>()
  if (userIds.length === 0) return read
  for (const { userId, mailboxId } of await findMailboxesReadBy(app.db, userIds)) {
    const ids = read.get(userId) ?? new Set()
    read.set(userId, ids.add(mailboxId))
  }
  return read
}
