/**
 * Tells holders that their mailbox is suspended, and that it is resumed: at the private address where their access link went,
 * since they cannot read the mailbox itself. Whoever got the link in another way reads it when signing in (decision 068).
 */
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, greet, type Mail } from '#server/features/outbox/system-mail.ts'
import { updateUser } from '../auth-store.ts'
import { lockUntold } from '../holders-store.ts'

/** For a loop. What was changed back before it ran is not told. */
export const mailSuspensions = async (app: App): Promise<void> => {
  const mailOne = () =>
    app.db.transaction().execute(async (tx) => {
      const holder = await lockUntold(tx)
      if (holder === undefined) return false
      const { id, email, firstName, status, privateEmail, isToldSuspended } = holder
      const isSuspended = status === 'suspended'
      await updateUser(tx, id, { isStatusUntold: false, isToldSuspended: isSuspended })
      if (privateEmail === null || isSuspended === isToldSuspended) return true
      const write = isSuspended ? suspendedMail : resumedMail
      const mail = write({ firstName, email }, `${app.config.publicUrl}/login`)
      await sendSystemMail(app, tx, { to: privateEmail, ...mail, link: null })
      return true
    })
  while (await mailOne());
}

type Holder = { firstName: string; email: string }

const REASON =
  'You get this mail because the link with which you set the password of this mailbox was mailed to this address.'

export const suspendedMail = ({ firstName, email }: Holder, link: string): Mail =>
  compose({
    subject: `Your mailbox ${email} is suspended`,
    preview: 'It still receives mail. Ask your administrator to resume it.',
    greeting: greet(firstName),
    before: [
      `The mailbox ${email} was suspended, and you were signed out. You can neither read mail nor send it until it is resumed.`,
      'It still receives mail, and nothing is deleted.',
      'Ask your administrator to resume it. Then you sign in as before, with the same password.',
    ],
    button: { label: 'Log in', link },
    after: ['If you know of this already, there is nothing else to do.'],
    reason: REASON,
  })

export const resumedMail = ({ firstName, email }: Holder, link: string): Mail =>
  compose({
    subject: `Your mailbox ${email} is resumed`,
    preview: 'You can sign in again, with the same password.',
    greeting: greet(firstName),
    before: [
      `The mailbox ${email} is not suspended any more. Mail that came meanwhile is in it.`,
      'You can sign in again, with the same password as before.',
    ],
    button: { label: 'Log in', link },
    after: [],
    reason: REASON,
  })
