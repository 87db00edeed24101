import type { SignedIn } from '#contract/auth.ts'
import type { App } from '#server/app.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { isOperator } from '#server/features/operators/operators.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { LogEvents } from '#server/log-events.ts'
import type { Db } from '#server/storage/database.ts'
import { rememberDevice, type UserRecord, updateUser } from './auth-store.ts'
import { mailNewSignIn } from './notices/new-sign-in.ts'
import { insertSession } from './session-store.ts'
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
}

/** The answer to the client, and the values for cookies. */
export type StartedSession = {
  answer: SignedIn
  refreshToken: string
  expiresAt: Date
  deviceToken: string
}

/**
 * Starts a session and remembers the browser: a right password from it is never throttled. The owner gets a mail about a new
 * browser.
 */
export const startSession = async (
  app: App,
  db: Db,
  user: UserRecord,
  client: Client,
): Promise<StartedSession> => {
  const now = app.clock.now()
  const id = newId(now.getTime())
  const refreshToken = refreshTokenFor(app, id, 1)
  const expiresAt = secondsAfter(now, SESSION_SECONDS)
  await insertSession(db, {
    id,
    userId: user.id,
    generation: 1,
    tokenHash: hashToken(refreshToken),
    spentAt: [],
    createdAt: now,
    expiresAt,
    endedAt: null,
    ip: client.ip,
    userAgent: client.userAgent.slice(0, 300),
  })
  await mailNewSignIn(app, db, user, client)
  const deviceToken = client.deviceToken ?? randomToken()
  await rememberDevice(db, user.id, hashToken(deviceToken), now)
  await updateUser(db, user.id, { lastLoginAt: now })
  return {
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
): Promise<SignedIn> => ({
  token: await signAccessToken(app, { id: sessionId, userId: user.id }),
  tokenExpiresIn: ACCESS_TOKEN_SECONDS,
  user: {
    ...toUser({ ...user, userId: user.id }),
    ...((await isOperator({ config: app.config, db }, user)) && { isOperator: true as const }),
  },
})

/** Call after the session is committed. */
export const logSignedIn = (
  app: App,
  { answer: { user } }: StartedSession,
  { ip }: Client,
  by: LogEvents['signed-in']['by'],
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
