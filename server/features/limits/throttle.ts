/** Rate limits, kept in PostgreSQL, so that they hold across processes and restarts. */
import { isIPv6 } from 'node:net'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import {
  addToThrottle,
  clearThrottle,
  findWindows,
  purgeThrottles,
  takeFromThrottle,
} from './throttle-store.ts'

export type Limit = { limit: number; windowSeconds: number }

/**
 * Counts `amount` attempts under `key`: all of them or none.
 * @throws TOO_MANY_REQUESTS with retryAfterSeconds beyond the limit.
 */
export const spendThrottle = async (
  app: App,
  key: string,
  limit: Limit,
  amount = 1,
): Promise<void> => requireRoom((await tryThrottles(app, [{ key, limit, amount }])).waitSeconds)

/** Counts one attempt. @returns 0 within the limit, otherwise the seconds until the window ends. */
export const tryThrottle = async (app: App, key: string, limit: Limit): Promise<number> =>
  (await tryThrottles(app, [{ key, limit }])).waitSeconds

/** The same within a transaction, which takes no second connection: counted when it commits. @returns whether there was room. */
export const tryThrottleIn = (app: App, tx: Db, key: string, limit: Limit): Promise<boolean> => {
  const now = app.clock.now()
  const endsAt = secondsAfter(now, limit.windowSeconds)
  return addToThrottle(tx, { key, limit: limit.limit, amount: 1 }, now, endsAt)
}

/** Takes back an attempt that turned out not to count. */
export const refundThrottle = (app: App, key: string): Promise<void> =>
  takeFromThrottle(app.db, key)

/** The result of an attempt: the keys that it was counted under, for taking it back, or a refusal. */
export type Tried = { waitSeconds: number; keys: string[] }

export type Try = { key: string; limit: Limit; amount?: number }

export type Room = { left: number; moreAt: Date | null }

/** How many attempts all of these keys have room for, and when the window ends that holds the others up; null: none has begun. */
export const roomWithin = async (app: App, tries: readonly Try[]): Promise<Room> => {
  const keys = tries.map(({ key }) => key)
  const windows = await findWindows(app.db, keys, app.clock.now())
  const rooms = tries.map(({ key, limit }): Room => {
    const window = windows.find((each) => each.key === key)
    const left = Math.max(0, limit.limit - (window?.count ?? 0))
    return { left, moreAt: window?.windowEndsAt ?? null }
  })
  return rooms.reduce((least, each) => (each.left < least.left ? each : least))
}

/**
 * Counts one attempt, or `amount`, under each key. If one is full, nothing is counted or written: a refused client
 * causes no writes and does not use up the limits of others.
 */
export const tryThrottles = async (app: App, tries: readonly Try[]): Promise<Tried> => {
  const now = app.clock.now()
  const wait = await longestWait(app, tries)
  if (wait > 0) return { waitSeconds: wait, keys: [] }
  const keys: string[] = []
  for (const { key, limit, amount = 1 } of tries) {
    const endsAt = secondsAfter(now, limit.windowSeconds)
    // A concurrent attempt may have taken the last place.
    if (!(await addToThrottle(app.db, { key, limit: limit.limit, amount }, now, endsAt)))
      return { waitSeconds: Math.max(1, await longestWait(app, tries)), keys }
    keys.push(key)
  }
  return { waitSeconds: 0, keys }
}

const longestWait = async (app: App, tries: readonly Try[]): Promise<number> => {
  const now = app.clock.now()
  /** The highest count that leaves room. */
  const rooms = new Map(tries.map(({ key, limit, amount = 1 }) => [key, limit.limit - amount]))
  const windows = await findWindows(app.db, [...rooms.keys()], now)
  const waits = windows
    .filter(({ key, count }) => count > (rooms.get(key) ?? Number.POSITIVE_INFINITY))
    .map(({ windowEndsAt }) => Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000))
  return Math.max(0, ...waits)
}

/** Counts one attempt of a network and of the wider networks around it. */
export const networkTries = (name: string, ip: string, { limit, windowSeconds }: Limit) =>
  networksOf(ip).map(({ network, times }) => ({
    key: `${name}:${network}`,
    limit: { limit: limit * times, windowSeconds },
  }))

/** @returns the keys for taking it back. @throws TOO_MANY_REQUESTS */
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

/** IPv4 written as IPv6, as sockets that take both do: one network of all would let one stranger use up the limits of everybody. */
const MAPPED = /^::ffff:(?=[\d.]+$)/i

/** The network that shares a limit: one IPv4 address, or an IPv6 /64, which belongs to one customer. */
export const networkOf = (ip: string): string => {
  const plain = ip.replace(MAPPED, '')
  return isIPv6(plain) ? prefixOf(plain, 64) : plain
}

/**
 * The network, and for IPv6 the wider ones that one customer may have: a /56 at home, a /48 for a company. Their limits are
 * two and four times as high, because a wider network may also belong to several customers.
 */
export const networksOf = (address: string): { network: string; times: number }[] => {
  const ip = address.replace(MAPPED, '')
  if (!isIPv6(ip)) return [{ network: ip, times: 1 }]
  return [
    { network: prefixOf(ip, 64), times: 1 },
    { network: prefixOf(ip, 56), times: 2 },
    { network: prefixOf(ip, 48), times: 4 },
  ]
}

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

/** Resets the count. */
export const forgetThrottle = (db: Db, key: string): Promise<void> => clearThrottle(db, key)

export const purgeLimits = (app: App): Promise<void> => purgeThrottles(app.db, app.clock.now())
