import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import { readAccessToken } from './sessions/access-token.ts'
import { findCaller } from './sessions/session-store.ts'
import { toUser } from './to-user.ts'
import type { Who } from './who.ts'

/** For a user who is in no workspace: matches no row. */
const NOWHERE = '00000000-0000-0000-0000-000000000000'

/**
 * Who holds this access token, and in which workspace: the wanted one, or else the user's current one.
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
