import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { tryThrottle } from '#server/features/limits/throttle.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { LogEvents } from '#server/log-events.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from './account-email.ts'
import { findUserByEmail, isKnownDevice, lockUserByEmail, type UserRecord } from './auth-store.ts'
import { holdMailboxStatus } from './holders-store.ts'
import { mailAfterLogin } from './mail-link.ts'
import { countGuess, verifyPassword } from './passwords.ts'
import {
  type Client,
  type Entered,
  logSignedIn,
  logSignInFailed,
  logSignInThrottled,
  requireStarted,
  type StartedSession,
  startSession,
} from './start-session.ts'
import type { Who } from './who.ts'

/** Limit over all known browsers of an account: a person who once used one must not guess for ever. */
const KNOWN_BROWSERS = { limit: 20, windowSeconds: 900 }

/**
 * Starts a session. An unknown address, a wrong password and an account without a password give the same answer
 * in the same time.
 * @throws INVALID_PASSWORD, TOO_MANY_REQUESTS; only after the right password NOT_VERIFIED, MAILBOX_SUSPENDED and
 * SECOND_FACTOR_REQUIRED
 */
export const logIn = async (
  app: App,
  form: { email: string; password: string },
  client: Client,
): Promise<StartedSession> => {
  const email = accountEmail(form.email)
  try {
    const started = requireStarted(await signIn(app, email, form.password, client))
    logSignedIn(app, started, client, 'password')
    return started
  } catch (error) {
    if (error instanceof AppError) logRefused(app, error, email, client)
    throw error
  }
}

const failures = {
  INVALID_PASSWORD: 'password',
  NOT_VERIFIED: 'not-verified',
  MAILBOX_SUSPENDED: 'suspended',
  UNAVAILABLE: 'busy',
} as const

const logRefused = (
  app: App,
  { type, retryAfterSeconds }: AppError,
  email: string,
  client: Client,
): void => {
  if (type === 'TOO_MANY_REQUESTS') logSignInThrottled(app, client, email, retryAfterSeconds ?? 0)
  else if (type in failures)
    logSignInFailed(app, client, email, failures[type as keyof typeof failures])
}

const signIn = async (
  app: App,
  email: string,
  password: string,
  client: Client,
): Promise<Entered> => {
  const guess = await countGuess(app, email, client.ip)
  const { retryAfterSeconds } = guess
  const user = await findUserByEmail(app.db, email)
  if (retryAfterSeconds > 0 && !(await mayStillTry(app, user, client)))
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  const isRight = await verifyPassword(password, user?.passwordHash ?? null, client.ip)
  if (!user || !isRight)
    throw retryAfterSeconds > 0
      ? new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds })
      : wrongPassword()
  await guess.takeBack()
  if (user.verifiedAt === null) {
    await mailAfterLogin(app, user, client.deviceToken)
    throw new AppError('NOT_VERIFIED')
  }
  return app.db.transaction().execute(async (tx) => {
    await requireStill(tx, user)
    return startSession(app, tx, user, client, 'password')
  })
}

/** Whether this person signed in with it before. */
export const isKnownBrowser = async (
  { db }: Pick<App, 'db'>,
  { id }: Pick<UserRecord, 'id'>,
  { deviceToken }: Pick<Client, 'deviceToken'>,
): Promise<boolean> => deviceToken !== null && (await isKnownDevice(db, id, hashToken(deviceToken)))

/** Guessing strangers must not lock the owner out of a known browser. */
const mayStillTry = async (
  app: App,
  user: UserRecord | undefined,
  client: Client,
): Promise<boolean> =>
  user !== undefined &&
  (await isKnownBrowser(app, user, client)) &&
  (await tryThrottle(app, `login-known:${user.id}`, KNOWN_BROWSERS)) === 0

/** The tokenType is REFRESH, so that the client does not repeat the login with a renewed token (decision 006). */
const wrongPassword = () => new AppError('INVALID_PASSWORD', { tokenType: 'REFRESH' })

/**
 * Checked under the locks: while the password was checked, the access may have been revoked, the mailbox suspended
 * or the password changed, which all end existing sessions.
 * @throws INVALID_PASSWORD, MAILBOX_SUSPENDED
 */
export const requireStill = async (tx: Db, user: UserRecord): Promise<void> => {
  const status = user.mailboxId === null ? null : await holdMailboxStatus(tx, user.mailboxId)
  const now = await lockUserByEmail(tx, user.email)
  if (now?.id !== user.id || now.passwordHash !== user.passwordHash) throw wrongPassword()
  if (status === 'suspended') throw new AppError('MAILBOX_SUSPENDED')
}

type Right = LogEvents['right-changed']

/** Logs a change by this member, after the commit. */
export const logRight = (
  app: Pick<App, 'logEvent'>,
  tx: Db,
  { workspaceId, userId: by }: Pick<Who, 'workspaceId' | 'userId'>,
  right: Pick<Right, 'what' | 'objectId' | 'change' | 'whose'>,
): void => afterCommit(tx, () => app.logEvent('right-changed', { ...right, workspaceId, by }))
