/** The caller, from the Authorization header and nothing else. */
import type { FastifyRequest } from 'fastify'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { Access } from '#contract/route.ts'
import { WORKSPACE_HEADER } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { resolveSession } from '#server/features/accounts/live-sessions.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isOperator } from '#server/features/operators/operators.ts'

/** RFC 6750 §2.1. */
const bearer = /^Bearer +([\w.~+/-]+=*)$/i

export const accessTokenOf = (request: FastifyRequest): string | null =>
  bearer.exec(request.headers.authorization ?? '')?.[1] ?? null

export const ipOf = (request: FastifyRequest): string => request.clientAddress

/**
 * Returns the caller, who must have the right that the route requires.
 * @throws 401 about the ACCESS token, NOT_EXISTS for a foreign workspace, FORBIDDEN
 */
export const callerOf = async (
  app: App,
  request: FastifyRequest,
  access: Exclude<Access, 'anyone'>,
): Promise<Who & { user: User }> => {
  const wanted = request.headers[WORKSPACE_HEADER]
  const who = await resolveSession(
    app,
    accessTokenOf(request),
    typeof wanted === 'string' && wanted !== '' ? wanted : null,
    ipOf(request),
  )
  if (!(await isLetIn(app, who, access))) throw new AppError('FORBIDDEN')
  return who
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
