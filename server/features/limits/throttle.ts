/** Limits on how often something may be tried. They live in PostgreSQL, so they hold across processes and restarts. */
import { isIPv6 } from 'node:net'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { addToThrottle, findWindows, takeFromThrottle } from './throttle-store.ts'

export type Limit = { limit: number; windowSeconds: number }

/**
 * Counts one try under `key`.
 * @throws TOO_MANY_REQUESTS with retryAfterSeconds beyond the limit.
 */
export const spendThrottle = async (app: App, key: string, limit: Limit): Promise<void> =>
  requireRoom(await tryThrottle(app, key, limit))

/** Counts one try; answers 0 when it is within the limit, else the seconds until the window ends. */
export const tryThrottle = async (app: App, key: string, limit: Limit): Promise<number> =>
  (await tryThrottles(app, [{ key, limit }])).waitSeconds

/** Takes one try back: it was counted, and turned out not to count. */
export const refundThrottle = (app: App, key: string): Promise<void> =>
  takeFromThrottle(app.db, key)

/** A try that was counted, or refused: under which keys it was counted, to take it back. */
export type Tried = { waitSeconds: number; keys: string[] }

/**
 * Counts one try under each key. Where one of them is full nothing is counted, and nothing written: whoever is refused
 * makes no work, and fills nobody else's limit.
 */
export const tryThrottles = async (
  app: App,
  tries: readonly { key: string; limit: Limit }[],
): Promise<Tried> => {
  const now = app.clock.now()
  const wait = await longestWait(app, tries)
  if (wait > 0) return { waitSeconds: wait, keys: [] }
  const keys: string[] = []
  for (const { key, limit } of tries) {
    const endsAt = secondsAfter(now, limit.windowSeconds)
    // The last place may have been taken just now.
    if (!(await addToThrottle(app.db, key, limit.limit, now, endsAt)))
      return { waitSeconds: Math.max(1, await longestWait(app, tries)), keys }
    keys.push(key)
  }
  return { waitSeconds: 0, keys }
}

const longestWait = async (
  app: App,
  tries: readonly { key: string; limit: Limit }[],
): Promise<number> => {
  const now = app.clock.now()
  const limits = new Map(tries.map(({ key, limit }) => [key, limit.limit]))
  const windows = await findWindows(app.db, [...limits.keys()], now)
  const waits = windows
    .filter(({ key, count }) => count >= (limits.get(key) ?? Number.POSITIVE_INFINITY))
    .map(({ windowEndsAt }) => Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000))
  return Math.max(0, ...waits)
}

/** One try of a network, and of those around it. */
export const networkTries = (name: string, ip: string, { limit, windowSeconds }: Limit) =>
  networksOf(ip).map(({ network, times }) => ({
    key: `${name}:${network}`,
    limit: { limit: limit * times, windowSeconds },
  }))

/** @throws TOO_MANY_REQUESTS; answers the keys to take it back with. */
export const spendNetwork = async (
  app: App,
  name: string,
  ip: string,
  limit: Limit,
): Promise<string[]> => {
  const { waitSeconds, keys } = await tryThrottles(app, networkTries(name, ip, limit))
  requireRoom(waitSeconds)
  return keys
}

export const refundThrottles = async (app: App, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await refundThrottle(app, key)
}

const requireRoom = (waitSeconds: number): void => {
  if (waitSeconds > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
}

/** Who shares a limit: one IPv4 address, or the /64 that one IPv6 customer holds. */
export const networkOf = (ip: string): string => (isIPv6(ip) ? prefixOf(ip, 64) : ip)

/**
 * The network, and with IPv6 the wider ones that one customer may hold: a /56 at home, a /48 as a company. They may do
 * two and four times as much as one, since providers also put strangers side by side.
 */
export const networksOf = (ip: string): { network: string; times: number }[] =>
  isIPv6(ip)
    ? [
        { network: prefixOf(ip, 64), times: 1 },
        { network: prefixOf(ip, 56), times: 2 },
        { network: prefixOf(ip, 48), times: 4 },
      ]
    : [{ network: ip, times: 1 }]

const prefixOf = (ip: string, bits: 64 | 56 | 48): string => {
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  const numbers = groups.slice(0, Math.ceil(bits / 16)).map((group) => Number.parseInt(group, 16))
  if (bits === 56) numbers[3] = (numbers[3] ?? 0) & 0xff00
  return `${numbers.map((number) => number.toString(16)).join(':')}::/${bits}`
}
