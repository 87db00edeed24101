/** Mails a person whose second factor keeps failing after a right first step: somebody else may know the password. */
import type { App } from '#server/app.ts'
import { tryThrottle, tryThrottleIn } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#server/lib/clock.ts'
import type { UserRecord } from '../auth-store.ts'

/** The tenth is one too many. */
const UNTOLD = { limit: 9, windowSeconds: HOUR_SECONDS }
const ONCE_A_DAY = { limit: 1, windowSeconds: DAY_SECONDS }

/** After each wrong code of a sign-in whose first step was right. */
export const noteWrongCode = async (
  app: App,
  { id, email, firstName }: Pick<UserRecord, 'id' | 'email' | 'firstName'>,
): Promise<void> => {
  if ((await tryThrottle(app, `wrong-codes:${id}`, UNTOLD)) === 0) return
  await app.db.transaction().execute(async (tx) => {
    if (!(await tryThrottleIn(app, tx, `wrong-codes-told:${id}`, ONCE_A_DAY))) return
    const mail = wrongCodesMail(firstName, `${app.config.publicUrl}/forgot-password`)
    await sendSystemMail(app, tx, { to: email, ...mail, link: null })
  })
}

export const wrongCodesMail = (firstName: string, link: string): Mail =>
  compose({
    subject: 'Ten wrong codes were entered for your Mailstead account',
    preview: 'Somebody may know your password.',
    greeting: greet(firstName),
    before: [
      'Somebody began to sign in to your account with the right password, and then entered ten wrong codes within an hour. Your second factor kept them out.',
      'If that was not you, your password is known to somebody else: please set a new one.',
    ],
    button: { label: 'Set a new password', link },
    after: ['If you sign in with Google, change your Google password instead.'],
    reason: 'You get this mail for the safety of your account, at most once a day.',
  })
