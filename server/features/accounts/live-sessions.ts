import { isFactorDue } from '#contract/account/required-factor.ts'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { Changed } from '#contract/events.ts'
import { type CallerRole, memberCan } from '#contract/rights.ts'
import type { Topic } from '#contract/subjects.ts'
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import {
  findCaller,
  findLiveSessions,
  findMailboxesReadBy,
  hasEnded,
  noteSessionUse,
} from './session-store.ts'
import { readAccessToken } from './session-tokens.ts'
import type { Who } from './who.ts'
import { toUser } from './who.ts'

/** The events that a session, or an API key, may receive, by workspace. */
export type LiveSession = ReadonlyMap<string, Place>
type Place = { role: CallerRole; mailboxIds: ReadonlySet<string>; key?: HeardByKey }

export type HeardByKey = {
  topics: ReadonlySet<Topic>
  /** null: it is not narrowed. */
  mailboxIds: ReadonlySet<string> | null
}

/** The live sessions among these, each with the workspaces of its user and the mailboxes they read there. */
export const liveSessions = async (
  app: App,
  sessionIds: readonly string[],
): Promise<Map<string, LiveSession>> => {
  const now = app.clock.now()
  const rows = await findLiveSessions(app.db, sessionIds, now)
  const readers = rows.filter(({ role }) => role !== null && !memberCan(role, 'see-mailboxes'))
  const read = await mailboxesOf(app, [...new Set(readers.map(({ userId }) => userId))])
  const live = new Map<string, Map<string, { role: CallerRole; mailboxIds: Set<string> }>>()
  for (const row of rows) {
    const { id, userId, workspaceId, role } = row
    const session = live.get(id) ?? new Map()
    live.set(id, session)
    if (workspaceId === null || role === null || isFactorDue(row, now)) continue
    session.set(workspaceId, { role, mailboxIds: read.get(userId) ?? new Set() })
  }
  return live
}

/** Events about mail go to users who see all mailboxes and to readers of the mailbox. Its holder gets no other events. */
export const mayReceiveEvent = (
  session: LiveSession,
  { topic, workspaceId, mailboxId }: Changed,
): boolean => {
  // They are for people.
  if (topic === 'announcements') return ![...session.values()].some(({ key }) => key)
  const place = session.get(workspaceId)
  if (!place) return false
  const { role, mailboxIds, key } = place
  if (key && !isHeard(key, topic, mailboxId)) return false
  if (topic === 'messages' && mailboxId !== undefined)
    return memberCan(role, 'see-mailboxes') || mailboxIds.has(mailboxId)
  return memberCan(role, topic === 'invoices' ? 'manage-billing' : 'see-workspace')
}

const isHeard = (key: HeardByKey, topic: Topic, mailboxId: string | undefined): boolean =>
  key.topics.has(topic) &&
  (key.mailboxIds === null || mailboxId === undefined || key.mailboxIds.has(mailboxId))

/** By user: the mailboxes that they read. */
export const mailboxesOf = async (
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

export const hasWorkspace = ({ workspaceId }: Pick<Who, 'workspaceId'>): boolean =>
  workspaceId !== NOWHERE

/**
 * The user of this access token and the workspace: the wanted one, otherwise the user's current one.
 * One query, and once a minute a write.
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
  const now = app.clock.now()
  if (!caller || hasEnded(caller, now)) throw new AppError('JWT_EXPIRED', { tokenType: 'ACCESS' })
  if (wantedWorkspaceId !== null && caller.workspaceId === null) throw new AppError('NOT_EXISTS')
  await noteSessionUse(app.db, { id: sessionId, lastUsedAt: caller.lastUsedAt }, ip, now)
  return {
    userId,
    sessionId,
    workspaceId: caller.workspaceId ?? NOWHERE,
    role: caller.role ?? 'User',
    ip,
    user: toUser(caller),
  }
}
