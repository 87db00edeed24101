/** The second step of a sign-in, and the sign-in by a passkey, which needs no other step (decision 116). */
import type { signInByPasskey } from '#contract/account/passkeys.ts'
import type { answerSecondFactor } from '#contract/account/second-factor.ts'
import { AppError } from '#contract/errors.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { admitProven, trustBrowser } from '#server/features/factors/admission.ts'
import {
  beginChallenge,
  readChallenge,
  spendChallenge,
} from '#server/features/factors/challenges.ts'
import { tellOfRecoveryCode } from '#server/features/factors/change-factors.ts'
import { askForPasskey } from '#server/features/factors/check-passkey.ts'
import { type Proven, proveFactor } from '#server/features/factors/prove-factor.ts'
import { canHavePasskeys } from '#server/features/factors/relying-party.ts'
import { spendNetwork } from '#server/features/limits/throttle.ts'
import { equalBytes, hashToken } from '#server/lib/secrets.ts'
import { findUser, type UserRecord } from '../auth-store.ts'
import { isKnownBrowser, requireStill } from '../log-in.ts'
import { noteWrongCode } from '../notices/wrong-codes.ts'
import {
  type Client,
  logSignedIn,
  logSignInFailed,
  logSignInThrottled,
  openSession,
  type SignInWay,
  type StartedSession,
} from '../start-session.ts'

type Answer = Input<typeof answerSecondFactor>['body']

/** `trustToken`: for the cookie of a browser that is trusted from now on. */
export type Confirmed = { started: StartedSession; trustToken: string | null }

/**
 * Whatever ended the first step since then (a new password, a suspended mailbox) ends this one.
 * @throws SIGN_IN_EXPIRED, VALIDATION, PASSKEY_REFUSED, TOO_MANY_REQUESTS, INVALID_PASSWORD, MAILBOX_SUSPENDED
 */
export const finishSecondStep = async (
  app: App,
  { challenge: token, trustBrowser: wantsTrust = false, ...proof }: Answer,
  client: Client,
): Promise<Confirmed> => {
  const challenge = await readChallenge(app, token, 'sign-in')
  const { userId, signInBy, passkeyChallenge } = challenge
  const user = userId === null ? undefined : await findUser(app.db, userId)
  if (!user || signInBy === null) throw new AppError('SIGN_IN_EXPIRED')
  const asked = {
    ...({ userId, passkeyChallenge, userVerification: 'preferred' } as const),
    isKnown: await isKnownBrowser(app, user, client),
  }
  const proven = await loggingRefusal(app, user, client, 'second-factor', () =>
    proveFactor(app, proof, asked, client.ip),
  )
  const confirmed = await app.db.transaction().execute(async (tx) => {
    // Locks the person first, as a change of the password does.
    await requireStill(tx, user)
    await spendChallenge(tx, challenge)
    await proven.spend(tx)
    const started = await comeIn(app, tx, user, client, proven)
    const trustToken = wantsTrust ? await trustBrowser(app, tx, user.id, client) : null
    return { started, trustToken }
  })
  logSignedIn(app, confirmed.started, client, signInBy)
  return confirmed
}

type Tx = Parameters<typeof requireStill>[0]

const comeIn = async (
  app: App,
  tx: Tx,
  user: UserRecord,
  client: Client,
  proven: Proven,
): Promise<StartedSession> => {
  const { id: _id, email, firstName } = user
  const started = await openSession(app, tx, user, client, admitProven(app, proven))
  const { sessionId } = started
  if (proven.by === 'recovery-code')
    await tellOfRecoveryCode(app, tx, { _id, email, firstName, sessionId })
  return started
}

const loggingRefusal = async (
  app: App,
  user: UserRecord | undefined,
  client: Client,
  why: 'second-factor' | 'passkey',
  work: () => Promise<Proven>,
): Promise<Proven> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const email = user?.email ?? ''
    if (error.type === 'TOO_MANY_REQUESTS')
      logSignInThrottled(app, client, email, error.retryAfterSeconds ?? 0)
    else logSignInFailed(app, client, email, why)
    if (error.type === 'VALIDATION' && user) await noteWrongCode(app, user)
    throw error
  }
}

/** Each leaves a row for some minutes. */
const BEGUN = { limit: 200, windowSeconds: 900 }

/** For this browser alone. @throws PASSKEYS_UNAVAILABLE, TOO_MANY_REQUESTS */
export const beginPasskeySignInFor = async (app: App, browserToken: string, ip: string) => {
  if (!canHavePasskeys(app)) throw new AppError('PASSKEYS_UNAVAILABLE')
  await spendNetwork(app, 'passkey-begin', ip, BEGUN)
  const purpose = 'passkey-sign-in' as const
  const { token, passkeyChallenge } = await beginChallenge(app, app.db, { purpose, browserToken })
  const options = await askForPasskey(app, passkeyChallenge, 'required', null)
  return { challenge: token, options }
}

/** @throws SIGN_IN_EXPIRED, PASSKEY_REFUSED, TOO_MANY_REQUESTS, MAILBOX_SUSPENDED */
export const finishPasskeySignIn = async (
  app: App,
  { challenge: token, passkey }: Input<typeof signInByPasskey>['body'],
  client: Client,
): Promise<StartedSession> => {
  const challenge = await readChallenge(app, token, 'passkey-sign-in')
  const { browserHash, passkeyChallenge } = challenge
  const isSameBrowser =
    browserHash !== null &&
    client.deviceToken !== null &&
    equalBytes(hashToken(client.deviceToken), browserHash)
  if (!isSameBrowser) throw new AppError('SIGN_IN_EXPIRED')
  const asked = {
    ...({ userId: null, passkeyChallenge, userVerification: 'required' } as const),
    // No code is checked without the person.
    isKnown: false,
  }
  const proven = await loggingRefusal(app, undefined, client, 'passkey', () =>
    proveFactor(app, { passkey }, asked, client.ip),
  )
  const started = await app.db.transaction().execute(async (tx) => {
    await spendChallenge(tx, challenge)
    await proven.spend(tx)
    const user = await findUser(tx, proven.userId)
    if (!user?.verifiedAt) throw new AppError('PASSKEY_REFUSED')
    await requireStill(tx, user)
    return comeIn(app, tx, user, client, proven)
  })
  const by: SignInWay = 'passkey'
  logSignedIn(app, started, client, by)
  return started
}
