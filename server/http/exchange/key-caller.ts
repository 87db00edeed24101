/** What a request with an API key is asked: the scope of its route, and what the key is narrowed to (decision 120). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { reachOf } from '#contract/developers/key-reach.ts'
import { isAllowedBy, keyUse } from '#contract/developers/scopes.ts'
import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { type KeyCaller, resolveKey } from '#server/features/keys/resolve-key.ts'
import { requireReach } from '#server/features/mailboxes/within-reach.ts'

const NO_KEYS = 'No API key may do this'
const NARROWED = 'This API key is narrowed to some domains or mailboxes, and this is about more'

/**
 * The caller, whose key may call the route and reaches what its path names.
 * @throws INVALID_KEY, TOO_MANY_REQUESTS, FORBIDDEN, NOT_EXISTS
 */
export const callerByKey = async (
  app: App,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  key: string,
  { route, wantedWorkspaceId, ip }: { route: Route; wantedWorkspaceId: string | null; ip: string },
): Promise<KeyCaller> => {
  const who = await resolveKey(app, key, wantedWorkspaceId, ip)
  request.server.keyPace.spend(who, reply)
  requireScopes(who, route)
  if (who.reach === undefined) return who
  const reached = reachOf(route)
  if (reached === null) throw new AppError('FORBIDDEN', { message: NARROWED })
  const { id = '' } = request.params as Record<string, string>
  if (reached === 'domain' || reached === 'mailbox') await requireReach(app.db, who, reached, id)
  return who
}

/** @throws FORBIDDEN */
const requireScopes = ({ scopes, role }: KeyCaller, route: Route): void => {
  const use = keyUse(route)
  if (use === 'open' || 'never' in use) {
    const why = use === 'open' ? {} : { reason: use.never }
    throw new AppError('FORBIDDEN', { message: NO_KEYS, data: why })
  }
  if (!isAllowedBy(use, scopes)) {
    const missing = use.scopes.filter((scope) => !scopes.includes(scope))
    const message = `This API key lacks ${missing.join(' and ')}`
    throw new AppError('FORBIDDEN', { message, data: { scopes: use.scopes } })
  }
  if (!isOfRole(route, role)) throw new AppError('FORBIDDEN')
}

/** The key and the event stream are open to any key. */
const isOfRole = ({ access }: Route, role: KeyCaller['role']): boolean =>
  access === 'any-session' ||
  (access !== 'anyone' &&
    access !== 'signed-in' &&
    access !== 'operator' &&
    memberCan(role, access))

/** Whether a key with these scopes and this maker may call the route, for its page. */
export const mayCall = (
  route: Route,
  key: Pick<KeyCaller, 'scopes' | 'role'> & { isNarrowed: boolean },
): boolean =>
  isAllowedBy(keyUse(route), key.scopes) &&
  isOfRole(route, key.role) &&
  (!key.isNarrowed || reachOf(route) !== null)
