import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { Changed } from '#contract/events.ts'
import { type CallerRole, memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import { findCaller, findLiveSessions, findMailboxesReadBy } from './session-store.ts'
import { readAccessToken } from './session-tokens.ts'
import type { Who } from './who.ts'
import { toUser } from './who.ts'

/** The events that a session may receive, by workspace. */
export type LiveSession = ReadonlyMap<string, { role: CallerRole; mailboxIds: ReadonlySet<string> }>

/** The live sessions among these, each with the workspaces of its user and the mailboxes they read there. */
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

/** Events about mail go to users who see all mailboxes and to readers of the mailbox. Its holder gets no other events. */
export const mayReceiveEvent = (
  session: LiveSession,
  { topic, workspaceId, mailboxId }: Changed,
): boolean => {
  if (topic === 'announcements') return true
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
  for (const { userId, mailboxId } of await findMailboxesReadBy(app.db, userIds, app.clock.now())) {
    const ids = read.get(userId) ?? new Set()
    read.set(userId, ids.add(mailboxId))
  }
  return read
}

/** For a user without a workspace: matches no row. */
const NOWHERE = '00000000-0000-0000-0000-000000000000'

/**
 * The user of this access token and the workspace: the wanted one, otherwise the user's current one.
 * One query.
 * @throws 401 about the ACCESS token; NOT_EXISTS when the wanted workspace is not the user's.
 */
export const resolveSession = async (
  app: App,
  accessToken: string | null,
  wantedWorkspaceId: string | null,
  ip: string,
): Promise<Who & { user: User }> => {
  if (accessToken === null) throw new AppError('NO_AUTH_TOKEN', { tokenType: 'ACCESS' })
  const { sessionId, userId } = await readAccessToken(app, accessToken)
  if (wantedWorkspaceId !== null && !isId(wantedWorkspaceId)) throw new AppError('NOT_EXISTS')
  const caller = await findCaller(app.db, sessionId, userId, wantedWorkspaceId)
  if (!caller || caller.endedAt !== null || caller.expiresAt <= app.clock.now())
    throw new AppError('JWT_EXPIRED', { tokenType: 'ACCESS' })
  if (wantedWorkspaceId !== null && caller.workspaceId === null) throw new AppError('NOT_EXISTS')
  return {
    userId,
    sessionId,
    workspaceId: caller.workspaceId ?? NOWHERE,
    role: caller.role ?? 'User',
    ip,
    user: toUser(caller),
  }
}
