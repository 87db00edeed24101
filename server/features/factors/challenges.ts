/** What waits for a second factor or a passkey: minutes, once, for the account or the browser that it began with. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import {
  type Challenge,
  findChallenge,
  insertChallenge,
  lockFactors,
  takeChallenge,
} from './factors-store.ts'

const CHALLENGE_SECONDS = 300

type Begun = Pick<Challenge, 'purpose'> &
  Partial<Pick<Challenge, 'userId' | 'signInBy'>> & { browserToken?: string }

/** `passkeyChallenge`: base64url of what a passkey is to sign. @throws NO_AUTH_TOKEN when the account has just ended */
export const beginChallenge = async (
  app: App,
  db: Db,
  { purpose, userId = null, signInBy = null, browserToken }: Begun,
): Promise<{ token: string; passkeyChallenge: string }> => {
  const [token, passkeyChallenge] = [randomToken(), randomToken()]
  const isKept = await insertChallenge(db, {
    ...{ tokenHash: hashToken(token), purpose, userId, signInBy, passkeyChallenge },
    browserHash: browserToken === undefined ? null : hashToken(browserToken),
    expiresAt: secondsAfter(app.clock.now(), CHALLENGE_SECONDS),
  })
  if (!isKept) throw new AppError('NO_AUTH_TOKEN', { tokenType: 'ACCESS' })
  return { token, passkeyChallenge }
}

/** Each leaves a row until it is purged. */
const BEGUN = { limit: 200, windowSeconds: 900 }

/** For what a session begins without a proof. @throws TOO_MANY_REQUESTS */
export const countBegun = (app: App, userId: string): Promise<void> =>
  spendThrottle(app, `challenges-begun:${userId}`, BEGUN)

/** @throws SIGN_IN_EXPIRED */
export const readChallenge = async (
  app: App,
  token: string,
  purpose: Challenge['purpose'],
): Promise<Challenge> => {
  const found = await findChallenge(app.db, hashToken(token), purpose, app.clock.now())
  if (!found) throw new AppError('SIGN_IN_EXPIRED')
  return found
}

/** Once. @throws SIGN_IN_EXPIRED when another request took it */
export const spendChallenge = async (tx: Db, { userId, tokenHash }: Challenge): Promise<void> => {
  if (userId !== null) await lockFactors(tx, userId)
  if (!(await takeChallenge(tx, tokenHash))) throw new AppError('SIGN_IN_EXPIRED')
}
