/** Whether it is still the person who sits in front of a session, and how they say so again (decision 117). */
import { RECENT_SECONDS } from '#contract/account/recent-sign-in.ts'
import type { beginStepUp, stepUp } from '#contract/account/second-factor.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { askFactor, methodsOf } from '#server/features/factors/admission.ts'
import { countBegun, readChallenge, spendChallenge } from '#server/features/factors/challenges.ts'
import { tellOfRecoveryCode } from '#server/features/factors/change-factors.ts'
import { proveFactor } from '#server/features/factors/prove-factor.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { findUser } from '../auth-store.ts'
import { confirmPassword } from '../change-password.ts'
import { confirmSession, readConfirmedAt } from '../session-store.ts'
import { logSignInFailed } from '../start-session.ts'
import type { Who } from '../who.ts'

/** @throws STEP_UP_REQUIRED */
export const requireRecent = async (
  app: App,
  who: Who,
  asked: 'of-everybody' | 'with-factor',
): Promise<void> => {
  const at = await readConfirmedAt(app.db, who.sessionId)
  if (at !== null && secondsAfter(at, RECENT_SECONDS) > app.clock.now()) return
  if (asked === 'with-factor' && (await methodsOf(app, app.db, who.userId)) === null) return
  throw new AppError('STEP_UP_REQUIRED')
}

/**
 * How the caller can say that it is them. An account that signs in by Google alone, and has no factor, logs in anew.
 * @throws TOO_MANY_REQUESTS
 */
export const beginConfirming = async (
  app: App,
  { userId }: Who,
): Promise<Output<typeof beginStepUp>> => {
  await countBegun(app, userId)
  const methods = await methodsOf(app, app.db, userId)
  const begun = { purpose: 'step-up', userId } as const
  if (methods !== null) return askFactor(app, app.db, begun, methods)
  const hasPassword = (await findUser(app.db, userId))?.passwordHash != null
  return askFactor<'password'>(app, app.db, begun, hasPassword ? ['password'] : [])
}

/** @throws VALIDATION, PASSKEY_REFUSED, SIGN_IN_EXPIRED, TOO_MANY_REQUESTS */
export const confirmRecent = async (
  app: App,
  who: Who,
  { challenge: token, password, ...proof }: Input<typeof stepUp>['body'],
): Promise<void> => {
  const now = app.clock.now()
  if ((await methodsOf(app, app.db, who.userId)) === null) {
    if (!password) throw invalidField('password', 'Please enter your password')
    await confirmPassword(app, who, password, 'password')
    return confirmSession(app.db, who.sessionId, now)
  }
  const challenge = token === undefined ? null : await readChallenge(app, token, 'step-up')
  if (challenge !== null && challenge.userId !== who.userId) throw new AppError('SIGN_IN_EXPIRED')
  const passkeyChallenge = challenge?.passkeyChallenge ?? null
  const { userId, ip } = who
  const user = await findUser(app.db, userId)
  if (!user) throw new AppError('NOT_EXISTS')
  const verification = { userVerification: 'preferred', isKnown: true } as const
  const asked = { userId, passkeyChallenge, ...verification }
  const proven = await proveFactor(app, proof, asked, ip).catch((error: unknown) => {
    if (error instanceof AppError) logSignInFailed(app, who, user.email, 'second-factor')
    throw error
  })
  await app.db.transaction().execute(async (tx) => {
    if (challenge !== null) await spendChallenge(tx, challenge)
    await proven.spend(tx)
    const { id: _id, email, firstName } = user
    const { sessionId } = who
    if (proven.by === 'recovery-code')
      await tellOfRecoveryCode(app, tx, { _id, email, firstName, sessionId })
    await confirmSession(tx, sessionId, now)
  })
}
