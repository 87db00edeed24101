import type { AskedFactor } from '#contract/account/second-factor.ts'
import type { SignedIn } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { type Admission, judgeSignIn } from '#server/features/factors/admission.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { isOperator } from '#server/features/operators/operators.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { LogEvents } from '#server/log-events.ts'
import type { Db } from '#server/storage/database.ts'
import { rememberDevice, type UserRecord, updateUser } from './auth-store.ts'
import { mailNewSignIn } from './notices/new-sign-in.ts'
import { findCaller, insertSession } from './session-store.ts'
import {
  ACCESS_TOKEN_SECONDS,
  refreshTokenFor,
  SESSION_SECONDS,
  signAccessToken,
} from './session-tokens.ts'
import { toUser } from './who.ts'

/** The browser or program that signs in. */
export type Client = {
  ip: string
  userAgent: string
  /** From its cookie; null in a browser that never signed in here. */
  deviceToken: string | null
  /** Of the accounts that trust this browser. */
  trustTokens: readonly string[]
}

/** The answer to the client, and the values for cookies. */
export type StartedSession = {
  sessionId: string
  answer: SignedIn
  refreshToken: string
  expiresAt: Date
  deviceToken: string
}

/** How the person did the first step. */
export type SignInWay = LogEvents['signed-in']['by']

/** A session, or what the person is asked for first. */
export type Entered = StartedSession | AskedFactor

/**
 * Starts a session after the first step of a sign-in, unless the person has a second factor and does not trust this browser. Call
 * `requireStarted` after the commit.
 */
export const startSession = async (
  app: App,
  tx: Db,
  user: UserRecord,
  client: Client,
  by: Exclude<SignInWay, 'passkey'>,
): Promise<Entered> => {
  const judged = await judgeSignIn(app, tx, { userId: user.id, by }, client)
  return 'challenge' in judged ? judged : openSession(app, tx, user, client, judged)
}

/** @throws SECOND_FACTOR_REQUIRED */
export const requireStarted = (entered: Entered): StartedSession => {
  if ('challenge' in entered) throw new AppError('SECOND_FACTOR_REQUIRED', { data: entered })
  return entered
}

/**
 * Starts a session and remembers the browser: a right password from it is never throttled. The owner gets a mail about a new
 * browser.
 */
export const openSession = async (
  app: App,
  db: Db,
  user: UserRecord,
  client: Client,
  admission: Admission,
): Promise<StartedSession> => {
  const now = app.clock.now()
  const id = newId(now.getTime())
  const refreshToken = refreshTokenFor(app, id, 1)
  const expiresAt = secondsAfter(now, SESSION_SECONDS)
  const session = {
    id,
    generation: 1,
    tokenHash: hashToken(refreshToken),
    spentAt: [],
    createdAt: now,
    expiresAt,
    endedAt: null,
    ip: client.ip,
    userAgent: client.userAgent.slice(0, 300),
    lastUsedAt: now,
  }
  await insertSession(db, session, admission)
  await mailNewSignIn(app, db, user, { ...client, sessionId: id })
  const deviceToken = client.deviceToken ?? randomToken()
  await rememberDevice(db, user.id, hashToken(deviceToken), now)
  await updateUser(db, user.id, { lastLoginAt: now })
  return {
    sessionId: id,
    answer: await signedInAs(app, db, id, user),
    refreshToken,
    expiresAt,
    deviceToken,
  }
}

export const signedInAs = async (
  app: App,
  db: Db,
  sessionId: string,
  user: UserRecord,
): Promise<SignedIn> => {
  const caller = await findCaller(db, sessionId, user.id, null)
  return {
    token: await signAccessToken(app, { id: sessionId, userId: user.id }),
    tokenExpiresIn: ACCESS_TOKEN_SECONDS,
    user: {
      ...toUser({ ...user, userId: user.id, factorDueAt: caller?.factorDueAt ?? null }),
      ...((await isOperator({ config: app.config, db }, user)) && { isOperator: true as const }),
    },
  }
}

/** Call after the session is committed. */
export const logSignedIn = (
  app: App,
  { answer: { user } }: StartedSession,
  { ip }: Client,
  by: SignInWay,
): void =>
  app.logEvent('signed-in', {
    ...{ userId: user._id, email: user.email, by },
    ...{ ip, network: networkOf(ip) },
  })

export const logSignInFailed = (
  app: App,
  { ip }: Pick<Client, 'ip'>,
  email: string,
  why: LogEvents['sign-in-failed']['why'],
): void => app.logEvent('sign-in-failed', { ip, network: networkOf(ip), email, why })

export const logSignInThrottled = (
  app: App,
  { ip }: Pick<Client, 'ip'>,
  email: string,
  retryAfterSeconds: number,
): void =>
  app.logEvent('sign-in-throttled', { ip, network: networkOf(ip), email, retryAfterSeconds })

/** Call after the account is committed: its address is proven. */
export const logSignedUp = (
  app: App,
  { _id: userId, email }: { _id: string; email: string },
  ip: string,
): void => app.logEvent('signed-up', { userId, email, ip, network: networkOf(ip) })
