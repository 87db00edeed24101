import { AppError, invalidField } from '#contract/errors.ts'
import { NO_PASSWORD } from '#contract/profile.ts'
import type { App } from '#server/app.ts'
import type { UserRecord } from '../auth-store.ts'
import { countOwnGuess } from '../passwords/guesses.ts'
import { verifyPassword } from '../passwords/password-hash.ts'
import { logSignInFailed, logSignInThrottled } from '../sessions/log-signed-in.ts'
import { refundThrottle, tryThrottle } from '../throttle.ts'

const GUESSES = { limit: 10, windowSeconds: 900 }

/**
 * Whoever sits at an open session must know the password all the same.
 * @throws VALIDATION at `field`; TOO_MANY_REQUESTS after ten wrong ones in 15 minutes.
 */
export const requireOwnPassword = async (
  app: App,
  { user, ip }: { user: UserRecord; ip: string },
  password: string,
  field: string,
  wrong: string,
): Promise<void> => {
  if (user.passwordHash === null) throw invalidField(field, NO_PASSWORD)
  const key = `own-password:${user.id}`
  // Counted before it is looked at, so that guesses at the same time count too.
  const waitSeconds = await tryThrottle(app, key, GUESSES)
  if (waitSeconds > 0) {
    logSignInThrottled(app, { ip }, user.email, waitSeconds)
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  }
  const guess = await countOwnGuess(app, user.email)
  if (!(await verifyPassword(password, user.passwordHash, user.id))) {
    logSignInFailed(app, { ip }, user.email, 'own-password')
    throw invalidField(field, wrong)
  }
  await refundThrottle(app, key)
  await guess.takeBack()
}
