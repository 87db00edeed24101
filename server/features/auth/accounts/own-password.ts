import { invalidField } from '#contract/errors.ts'
import { NO_PASSWORD } from '#contract/profile.ts'
import type { App } from '#server/app.ts'
import type { UserRecord } from '../auth-store.ts'
import { verifyPassword } from '../passwords/password-hash.ts'
import { refundThrottle, spendThrottle } from '../throttle.ts'

const GUESSES = { limit: 10, windowSeconds: 900 }

/**
 * Whoever sits at an open session must know the password all the same.
 * @throws VALIDATION at `field`; TOO_MANY_REQUESTS after ten wrong ones in 15 minutes.
 */
export const requireOwnPassword = async (
  app: App,
  user: UserRecord,
  password: string,
  field: string,
  wrong: string,
): Promise<void> => {
  if (user.passwordHash === null) throw invalidField(field, NO_PASSWORD)
  const key = `own-password:${user.id}`
  // Counted before it is looked at, so that guesses at the same time count too.
  await spendThrottle(app, key, GUESSES)
  if (!(await verifyPassword(password, user.passwordHash))) throw invalidField(field, wrong)
  await refundThrottle(app, key)
}
