/** Forgot password, and both kinds of resend: they answer the same, as fast, whether or not there is an account. */
import { setTimeout } from 'node:timers/promises'
import { RESEND_COOLDOWN_SECONDS } from '#contract/auth.ts'
import type { App } from '#server/app.ts'
import { findUserByEmail } from '../auth-store.ts'
import { askAdmins } from '../holders/ask-admins.ts'
import { networkOf, spendThrottle } from '../throttle.ts'
import { accountEmail } from './account-email.ts'
import { mailChangeAgain } from './change-email.ts'
import { mailResetLink, mailVerificationLink } from './mail-link.ts'

const COOLDOWN = { limit: 1, windowSeconds: RESEND_COOLDOWN_SECONDS }
/** Somebody else may ask too, to fill a mailbox with our mails; the links that came are good all the same. */
const HOURLY = { limit: 5, windowSeconds: 3600 }
/** Of one network, whatever addresses it names: an office asks less often. */
const PER_NETWORK = { limit: 60, windowSeconds: 3600 }
/** Longer than writing and queueing a mail takes, so that the time does not tell. */
const ANSWER_AFTER_MS = 120

/** @throws as allowMail does. */
export const resendMail = async (
  app: App,
  typed: string,
  type: 'email-verification' | 'reset-password',
  ip: string,
): Promise<void> => {
  const email = accountEmail(typed)
  await allowMail(app, 'resend', email, ip)
  await inSameTime(type === 'reset-password' ? mailReset(app, email) : mailVerification(app, email))
}

/** @throws as allowMail does. */
export const forgotPassword = async (app: App, typed: string, ip: string): Promise<void> => {
  const email = accountEmail(typed)
  await allowMail(app, 'forgot-password', email, ip)
  await inSameTime(mailReset(app, email))
}

/** @throws TOO_MANY_REQUESTS within 30 s of the last time, for the sixth mail of an hour, and for the 61st of a network, for any address. */
const allowMail = async (
  app: App,
  call: 'resend' | 'forgot-password',
  email: string,
  ip: string,
): Promise<void> => {
  await spendThrottle(app, `link-mails-from:${networkOf(ip)}`, PER_NETWORK)
  await spendThrottle(app, `${call}:${email}`, COOLDOWN)
  await spendThrottle(app, `link-mails:${email}`, HOURLY)
}

const mailReset = async (app: App, email: string): Promise<void> => {
  const user = await findUserByEmail(app.db, email)
  if (!user) return
  if (user.mailboxId !== null) return askAdmins(app, email, user.mailboxId)
  await app.db.transaction().execute((tx) => mailResetLink(app, tx, user))
}

const mailVerification = async (app: App, email: string): Promise<void> => {
  const user = await findUserByEmail(app.db, email)
  if (user && user.verifiedAt === null)
    await app.db.transaction().execute((tx) => mailVerificationLink(app, tx, user))
  if (!user) await mailChangeAgain(app, email)
}

const inSameTime = async (work: Promise<void>): Promise<void> => {
  await Promise.all([work, setTimeout(ANSWER_AFTER_MS)])
}
