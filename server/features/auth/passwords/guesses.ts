/**
 * How often passwords may be guessed: of one account from one network, of all accounts from one, of one from everywhere
 * (decision 044).
 */
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { networkOf, networkTries, refundThrottles, tryThrottles } from '../throttle.ts'
import { clearThrottle } from '../throttle-store.ts'

const PER_ACCOUNT_AND_NETWORK = { limit: 10, windowSeconds: 900 }
const PER_NETWORK = { limit: 100, windowSeconds: 900 }
/** However many addresses somebody has. Known browsers of the account are not stopped by it. */
const PER_ACCOUNT = { limit: 100, windowSeconds: 3600 }

export type Guess = {
  /** 0 when the password may be looked at. */
  retryAfterSeconds: number
  /** It was right: it does not count. */
  takeBack(): Promise<void>
}

/** Counted before the password is looked at, so that guesses at the same time count too. */
export const countGuess = async (app: App, email: string, ip: string): Promise<Guess> => {
  const { waitSeconds, keys } = await tryThrottles(app, [
    ...networkTries('login', ip, PER_NETWORK),
    { key: accountKey(email, ip), limit: PER_ACCOUNT_AND_NETWORK },
    { key: everywhereKey(email), limit: PER_ACCOUNT },
  ])
  return guess(app, waitSeconds, keys)
}

/** At an open session, which has limits of its own: it counts for the account, and is never refused by that. */
export const countOwnGuess = async (app: App, email: string): Promise<Guess> => {
  const { keys } = await tryThrottles(app, [{ key: everywhereKey(email), limit: PER_ACCOUNT }])
  return guess(app, 0, keys)
}

/** The owner has a new password, by their mail or by an Admin: they log in with it from here at once. */
export const forgetGuesses = async (db: Db, email: string, ip: string): Promise<void> => {
  await clearThrottle(db, accountKey(email, ip))
  await clearThrottle(db, everywhereKey(email))
}

const accountKey = (email: string, ip: string): string => `login:${email}:${networkOf(ip)}`
const everywhereKey = (email: string): string => `login-everywhere:${email}`

const guess = (app: App, retryAfterSeconds: number, keys: readonly string[]): Guess => ({
  retryAfterSeconds,
  takeBack: () => refundThrottles(app, keys),
})
