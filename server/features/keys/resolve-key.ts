/** Who calls with an API key (decision 120). One query a request. */
import type { User } from '#contract/auth.ts'
import type { Reach } from '#contract/developers/key-reach.ts'
import type { KeyScope } from '#contract/developers/scopes.ts'
import { AppError } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { toUser, type Who } from '#server/features/accounts/who.ts'
import { networkOf, networkTries, tryThrottles } from '#server/features/limits/throttle.ts'
import { addressIn, isInRange } from '#server/lib/address-text.ts'
import { hashApiKey } from './api-key-text.ts'
import { findKeyByHash, type KeyRow, writeKeyUse } from './api-keys-store.ts'

export { looksLikeKey } from './api-key-text.ts'

/** Keys that do not exist, of one network. A right key from there always passes. */
const WRONG_KEYS = { limit: 100, windowSeconds: 15 * 60 }

/** The use of a key is written once in this time. */
const AGAIN_MS = 60_000

const EXPIRED = 'This API key has expired'
const OTHER_NETWORK = 'This API key is not used from this network'

export type KeyCaller = Who & { user: User; keyId: string; scopes: readonly KeyScope[] }

/**
 * @param wantedWorkspaceId of the request; a key is of one workspace.
 * @throws INVALID_KEY, TOO_MANY_REQUESTS after many of those; FORBIDDEN from another network; NOT_EXISTS for another workspace
 */
export const resolveKey = async (
  app: App,
  key: string,
  wantedWorkspaceId: string | null,
  ip: string,
): Promise<KeyCaller> => {
  const secretHash = hashApiKey(key)
  const row = secretHash === null ? undefined : await findKeyByHash(app.db, secretHash)
  if (row === undefined || isLost(row)) return refuse(app, ip, 'unknown')
  const now = app.clock.now()
  if (row.expiresAt !== null && row.expiresAt <= now) return refuse(app, ip, 'expired')
  if (!isUsedFrom(row, ip)) {
    app.logEvent('key-refused', { ip, network: networkOf(ip), why: 'network' })
    throw new AppError('FORBIDDEN', { message: OTHER_NETWORK })
  }
  if (wantedWorkspaceId !== null && wantedWorkspaceId.toLowerCase() !== row.workspaceId)
    throw new AppError('NOT_EXISTS')
  await noteKeyUse(app, row, ip, now)
  const { id: keyId, name: keyName, userId, workspaceId, role, scopes } = row
  const reach = reachIn(row)
  return {
    ...{
      userId,
      sessionId: keyId,
      keyId,
      keyName,
      workspaceId,
      role,
      ip,
      scopes,
      user: toUser(row),
    },
    ...(reach && { reach }),
  }
}

/**
 * A key of a workspace is as good as the Admin who made it. A person's own key ends when a mailed link sets their password, as app
 * passwords do: an intruder may have made it. It sleeps while the mailbox of its holder is suspended, or the account is leaving.
 */
export const isLost = (row: KeyRow): boolean => {
  const { kind, role, createdAt, appPasswordsFrom, heldStatus, endsAt } = row
  if (endsAt !== null || heldStatus === 'suspended') return true
  if (kind === 'workspace') return !memberCan(role, 'manage-keys')
  return appPasswordsFrom !== null && createdAt < appPasswordsFrom
}

/** null: not narrowed. */
export const reachIn = ({
  domainIds,
  mailboxIds,
}: Pick<KeyRow, 'domainIds' | 'mailboxIds'>): Reach | null =>
  domainIds === null && mailboxIds === null
    ? null
    : { domainIds: domainIds ?? [], mailboxIds: mailboxIds ?? [] }

const refuse = async (app: App, ip: string, why: 'unknown' | 'expired'): Promise<never> => {
  const { waitSeconds } = await tryThrottles(app, networkTries('wrong-key', ip, WRONG_KEYS))
  if (waitSeconds > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  app.logEvent('key-refused', { ip, network: networkOf(ip), why })
  throw new AppError('INVALID_KEY', why === 'expired' ? { message: EXPIRED } : {})
}

const isUsedFrom = ({ ips }: KeyRow, ip: string): boolean => {
  if (ips.length === 0) return true
  const address = addressIn(ip)
  return address !== null && ips.some((range) => isInRange(address, range))
}

const noteKeyUse = async (app: App, { id }: KeyRow, ip: string, now: Date): Promise<void> => {
  if (now.getTime() - (app.caches.keyUses.get(id) ?? 0) < AGAIN_MS) return
  app.caches.keyUses.set(id, now.getTime())
  await writeKeyUse(app.db, id, now, ip)
}
