/** Links are mailed to addresses that users type, so they are limited per address, per user and in all. */
import type { App } from '#server/app.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#server/lib/clock.ts'
import { type Limit, spendNetwork, spendThrottle } from './throttle.ts'

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

/** @throws TOO_MANY_REQUESTS */
export const spendMailedLink = async (
  app: App,
  who: { userId: string; ip: string },
  email: string,
  { kind, same, perUser, perNetwork }: MailedLink,
): Promise<void> => {
  if (same !== undefined)
    await spendThrottle(app, same.key, { limit: 1, windowSeconds: same.cooldownSeconds })
  await spendThrottle(app, `${kind}-to:${email}`, LINKS_PER_ADDRESS)
  const daily = (limit: number): Limit => ({ limit, windowSeconds: DAY_SECONDS })
  await spendThrottle(app, `${kind}-by:${who.userId}`, daily(perUser))
  await spendNetwork(app, `${kind}-from`, who.ip, daily(perNetwork))
}
