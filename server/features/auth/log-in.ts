import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from './accounts/account-email.ts'
import { findUserByEmail, lockUserByEmail, type UserRecord } from './auth-store.ts'
import { isKnownDevice } from './devices-store.ts'
import { holdMailboxStatus } from './holders/holders-store.ts'
import { verifyPassword } from './passwords/password-hash.ts'
import { type Client, type StartedSession, startSession } from './sessions/start-session.ts'
import { networkOf, refundThrottle, tryThrottle } from './throttle.ts'

const PER_ACCOUNT_AND_IP = { limit: 10, windowSeconds: 900 }
const PER_IP = { limit: 100, windowSeconds: 900 }
/** Of all browsers that an account has been opened in: whoever once sat at one must not guess for ever. */
const KNOWN_BROWSERS = { limit: 20, windowSeconds: 900 }

/** Counts wrong passwords of one account from one network. */
export const accountKey = (email: string, ip: string): string => `login:${email}:${networkOf(ip)}`

/**
 * Starts a session. An unknown address, a wrong password and an account without a password look the same,
 * in words and in time.
 * @throws INVALID_PASSWORD, NOT_VERIFIED and MAILBOX_SUSPENDED (only after the right password), TOO_MANY_REQUESTS
 */
export const logIn = async (
  app: App,
  form: { email: string; password: string },
  client: Client,
): Promise<StartedSession> => {
  const email = accountEmail(form.email)
  const keys = [accountKey(email, client.ip), `login:${networkOf(client.ip)}`] as const
  // Counted before the password is looked at, so that guesses at the same time count too.
  const waits = [
    await tryThrottle(app, keys[0], PER_ACCOUNT_AND_IP),
    await tryThrottle(app, keys[1], PER_IP),
  ]
  const retryAfterSeconds = Math.max(...waits)
  const user = await findUserByEmail(app.db, email)
  if (retryAfterSeconds > 0 && !(await mayStillTry(app, user, client)))
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  const isRight = await verifyPassword(form.password, user?.passwordHash ?? null)
  if (!user || !isRight)
    throw retryAfterSeconds > 0
      ? new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds })
      : wrongPassword()
  for (const key of keys) await refundThrottle(app, key)
  if (user.verifiedAt === null) throw new AppError('NOT_VERIFIED')
  return app.db.transaction().execute(async (tx) => {
    await requireStill(tx, user)
    return startSession(app, tx, user, client)
  })
}

/** Strangers who guess must not lock the owner out of the browser that they use. */
const mayStillTry = async (
  app: App,
  user: UserRecord | undefined,
  { deviceToken }: Client,
): Promise<boolean> =>
  user !== undefined &&
  deviceToken !== null &&
  (await isKnownDevice(app.db, user.id, hashToken(deviceToken))) &&
  (await tryThrottle(app, `login-known:${user.id}`, KNOWN_BROWSERS)) === 0

const wrongPassword = () => new AppError('INVALID_PASSWORD', { tokenType: 'REFRESH' })

/**
 * Asked behind the locks, since a password takes a while to check: the access may have been revoked, the mailbox suspended
 * or the password changed meanwhile, and all of these end the sessions that are there.
 */
const requireStill = async (tx: Db, user: UserRecord): Promise<void> => {
  const status = user.mailboxId === null ? null : await holdMailboxStatus(tx, user.mailboxId)
  const now = await lockUserByEmail(tx, user.email)
  if (now?.id !== user.id || now.passwordHash !== user.passwordHash) throw wrongPassword()
  if (status === 'suspended') throw new AppError('MAILBOX_SUSPENDED')
}
