/** Tells people that an Admin or an operator reset their second factors. */
import type { App } from '#server/app.ts'
import { takeUntoldReset } from '#server/features/factors/factor-queries.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import { findUser } from '../auth-store.ts'

/** For a loop. */
export const mailFactorResets = async (app: App): Promise<void> => {
  const mailOne = () =>
    app.db.transaction().execute(async (tx) => {
      const userId = await takeUntoldReset(tx)
      if (userId === null) return false
      const user = await findUser(tx, userId)
      if (user) {
        const mail = factorResetMail(user.firstName, app.config.publicUrl)
        await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
      }
      return true
    })
  while (await mailOne());
}

export const factorResetMail = (firstName: string, publicUrl: string): Mail =>
  compose({
    subject: 'The second factor of your Mailstead account was reset',
    greeting: greet(firstName),
    before: [
      'An administrator reset the second factors of your account: authenticator app, passkeys and recovery codes are gone, and every session has ended.',
      'Please log in with your password, and set up a new one.',
    ],
    button: { label: 'Open the security page', link: `${publicUrl}/dashboard/security` },
    after: ['If you did not ask for this, tell your administrator at once.'],
    reason: 'You get this mail for the safety of your account.',
  })
