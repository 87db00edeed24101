/** Limits on how often something may be tried. They live in PostgreSQL, so they hold across processes and restarts. */
import { isIPv6 } from 'node:net'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { addToThrottle, takeFromThrottle } from './throttle-store.ts'

export type Limit = { limit: number; windowSeconds: number }

/**
 * Counts one try under `key`.
 * @throws TOO_MANY_REQUESTS with retryAfterSeconds beyond the limit.
 */
export const spendThrottle = async (app: App, key: string, limit: Limit): Promise<void> => {
  const waitSeconds = await tryThrottle(app, key, limit)
  if (waitSeconds > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
}

/** Counts one try; answers 0 when it is within the limit, else the seconds until the window ends. */
export const tryThrottle = async (app: App, key: string, limit: Limit): Promise<number> => {
  const now = app.clock.now()
  const { count, windowEndsAt } = await addToThrottle(
    app.db,
    key,
    now,
    secondsAfter(now, limit.windowSeconds),
  )
  if (count <= limit.limit) return 0
  return Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000))
}

/** Takes one try back: it turned out not to count. */
export const refundThrottle = (app: App, key: string): Promise<void> =>
  takeFromThrottle(app.db, key)

/** Who shares a limit: one IPv4 address, or the /64 that one IPv6 customer holds. */
export const networkOf = (ip: string): string => {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
