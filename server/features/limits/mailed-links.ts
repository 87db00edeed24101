/** Links are mailed to addresses that users type, so they are limited per address, per user and in all. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#server/lib/clock.ts'
import {
  type Limit,
  networkTries,
  type Room,
  roomWithin,
  type Try,
  tryThrottles,
} from './throttle.ts'

/** Over all workspaces: no mailbox is flooded with links. */
export const LINKS_PER_ADDRESS: Limit = { limit: 5, windowSeconds: HOUR_SECONDS }

export type MailedLink = {
  kind: 'access-links' | 'dns-links' | 'invitations'
  /** Limits mails of the same link to the same address to one per `cooldownSeconds`. */
  same?: { key: string; cooldownSeconds: number }
  /** Mails per day. */
  perUser: number
  /** Mails per day; limits callers with many accounts, which are free. */
  perNetwork: number
}

type Sender = { userId: string; ip: string }

const THIS_ADDRESS = 'Enough links were mailed to this address within an hour'
const TODAY = 'No more of these links can be mailed today'

/** Counts all of it or nothing: a refused mail uses up no other limit. @throws TOO_MANY_REQUESTS */
export const spendMailedLink = async (
  app: App,
  who: Sender,
  email: string,
  mailed: MailedLink,
): Promise<void> => {
  const { kind, same } = mailed
  const toAddress = [
    { key: `${kind}-to:${email}`, limit: LINKS_PER_ADDRESS },
    ...(same ? [{ key: same.key, limit: { limit: 1, windowSeconds: same.cooldownSeconds } }] : []),
  ]
  const { waitSeconds } = await tryThrottles(app, [...toAddress, ...daily(who, mailed)])
  if (waitSeconds === 0) return
  const { left } = await roomWithin(app, toAddress)
  throw new AppError('TOO_MANY_REQUESTS', {
    ...{ retryAfterSeconds: waitSeconds, data: { reason: left === 0 ? THIS_ADDRESS : TODAY } },
  })
}

/** How many mails of this kind the caller can send today, whatever the address. */
export const roomForLinks = (app: App, who: Sender, mailed: MailedLink): Promise<Room> =>
  roomWithin(app, daily(who, mailed))

const daily = ({ userId, ip }: Sender, { kind, perUser, perNetwork }: MailedLink): Try[] => {
  const limit = (most: number): Limit => ({ limit: most, windowSeconds: DAY_SECONDS })
  return [
    { key: `${kind}-by:${userId}`, limit: limit(perUser) },
    ...networkTries(`${kind}-from`, ip, limit(perNetwork)),
  ]
}
