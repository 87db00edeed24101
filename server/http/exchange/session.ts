/** The caller, from the Authorization header and nothing else. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recentSignInFor } from '#contract/account/recent-sign-in.ts'
import { isFactorDue, isOpenWithoutFactor } from '#contract/account/required-factor.ts'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { Access, Route } from '#contract/route.ts'
import { WORKSPACE_HEADER } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { requireRecent } from '#server/features/accounts/confirming/recent-sign-in.ts'
import { resolveSession } from '#server/features/accounts/live-sessions.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { looksLikeKey } from '#server/features/keys/resolve-key.ts'
import { isOperator } from '#server/features/operators/operators.ts'
import { callerByKey } from './key-caller.ts'

/** RFC 6750 §2.1. */
const bearer = /^Bearer +([\w.~+/-]+=*)$/i

export const accessTokenOf = (request: FastifyRequest): string | null =>
  bearer.exec(request.headers.authorization ?? '')?.[1] ?? null

export const ipOf = (request: FastifyRequest): string => request.clientAddress

/**
 * Returns the caller, who must have the right that the route requires: in a session, or by an API key.
 * @throws 401 about the ACCESS token or the key, NOT_EXISTS for a foreign workspace, FORBIDDEN, FACTOR_SET_UP_REQUIRED
 */
export const callerOf = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route & { access: Exclude<Access, 'anyone'> },
): Promise<Who & { user: User }> => {
  const { access } = route
  const header = request.headers[WORKSPACE_HEADER]
  const wantedWorkspaceId = typeof header === 'string' && header !== '' ? header : null
  const [token, ip] = [accessTokenOf(request), ipOf(request)]
  if (token !== null && looksLikeKey(token)) {
    const asked = { route, wantedWorkspaceId, ip }
    const caller = await callerByKey(app, { request, reply }, token, asked)
    if (isFactorDue(caller.user, app.clock.now())) throw new AppError('FACTOR_SET_UP_REQUIRED')
    return caller
  }
  const who = await resolveSession(app, token, wantedWorkspaceId, ip)
  if (isFactorDue(who.user, app.clock.now()) && !isOpenWithoutFactor(route))
    throw new AppError('FACTOR_SET_UP_REQUIRED')
  if (!(await isLetIn(app, who, access))) throw new AppError('FORBIDDEN')
  return { ...who, userAgent: request.headers['user-agent'] ?? '' }
}

const isLetIn = async (
  app: App,
  { role, user }: Who & { user: User },
  access: Exclude<Access, 'anyone'>,
): Promise<boolean> => {
  if (access === 'any-session') return true
  if (access === 'operator')
    return isOperator(app, { id: user._id, email: user.email, mailboxId: user.mailboxId ?? null })
  return access === 'signed-in' ? role !== 'Holder' : memberCan(role, access)
}

/** A key of a program has no person to ask: what it may do is said by its scopes. @throws STEP_UP_REQUIRED */
export const requireRecentSignIn = async (app: App, who: Who, route: Route): Promise<void> => {
  const asked = recentSignInFor(route)
  if (asked !== null && who.keyId === undefined) await requireRecent(app, who, asked)
}
