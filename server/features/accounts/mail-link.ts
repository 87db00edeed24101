import { setTimeout } from 'node:timers/promises'
import { RESEND_COOLDOWN_SECONDS } from '#contract/auth.ts'
import type { App } from '#server/app.ts'
import { spendNetwork, spendThrottle, tryThrottles } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from './account-email.ts'
import { noResetMail, noVerificationMail, resetMail, verificationMail } from './account-mails.ts'
import {
  findSignUpOf,
  findUserByEmail,
  insertMailLink,
  type MailLink,
  type UserRecord,
} from './auth-store.ts'
import { mailChangeAgain } from './change-email.ts'
import { askAdmins, isReadByOthers } from './holders.ts'

// Long enough for greylisting and a night's sleep; a reset is asked for by somebody who sits there.
const VERIFICATION_SECONDS = 24 * 3600
const RESET_SECONDS = 3600

/** What somebody said in the form that asks for the mail, and in which browser. */
export type SignUpForm = Pick<MailLink, 'firstName' | 'lastName' | 'passwordHash' | 'browserHash'>

/**
 * The link carries the names and the password of the form that asked for it, and none where no form did: opening one's own
 * mail never confirms a password that somebody else chose for the address. To a mailbox here that somebody reads already
 * no link goes: it would sign them in to an account that is not theirs
 * (decision 043).
 */
export const mailVerificationLink = async (
  app: App,
  db: Db,
  user: UserRecord,
  form: SignUpForm | null,
): Promise<void> => {
  const loginUrl = `${app.config.publicUrl}/login`
  const firstName = form?.firstName ?? user.firstName
  if (await isReadByOthers(app, db, user)) {
    await sendSystemMail(app, db, { to: user.email, ...noVerificationMail(firstName, loginUrl) })
    return
  }
  const token = randomToken()
  const now = app.clock.now()
  await insertMailLink(db, {
    tokenHash: hashToken(token),
    userId: user.id,
    purpose: 'email-verification',
    email: user.email,
    firstName,
    lastName: form?.lastName ?? user.lastName,
    passwordHash: form?.passwordHash ?? null,
    browserHash: form?.browserHash ?? null,
    createdAt: now,
    expiresAt: secondsAfter(now, VERIFICATION_SECONDS),
    usedAt: null,
  })
  const link = `${app.config.publicUrl}/verify-email?token=${token}`
  await sendSystemMail(app, db, { to: user.email, ...verificationMail(firstName, link) })
}

/** To a mailbox here that somebody else reads too, no link goes: they could set the password of an account that is not theirs. */
export const mailResetLink = async (app: App, db: Db, user: UserRecord): Promise<void> => {
  if (await isReadByOthers(app, db, user)) {
    await sendSystemMail(app, db, {
      to: user.email,
      ...noResetMail(user.firstName, `${app.config.publicUrl}/login`),
    })
    return
  }
  const token = randomToken()
  const now = app.clock.now()
  await insertMailLink(db, {
    tokenHash: hashToken(token),
    userId: user.id,
    purpose: 'reset-password',
    email: user.email,
    firstName: null,
    lastName: null,
    passwordHash: null,
    createdAt: now,
    expiresAt: secondsAfter(now, RESET_SECONDS),
    usedAt: null,
  })
  const link = `${app.config.publicUrl}/create-new-password?token=${token}`
  await sendSystemMail(app, db, { to: user.email, ...resetMail(user.firstName, link) })
}

const COOLDOWN = { limit: 1, windowSeconds: RESEND_COOLDOWN_SECONDS }
/** Somebody else may ask too, to fill a mailbox with our mails; the links that came are good all the same. */
const HOURLY = { limit: 5, windowSeconds: 3600 }
/** Of one network, whatever addresses it names: an office asks less often. */
const PER_NETWORK = { limit: 60, windowSeconds: 3600 }
/** Longer than writing and queueing a mail takes, so that the time does not tell. */
const ANSWER_AFTER_MS = 120

type Resend = {
  email: string
  type: 'email-verification' | 'reset-password'
  /** From the cookie of the browser that asks; null in one that was never here. */
  browserToken: string | null
  ip: string
}

/**
 * Forgot password, and both kinds of resend: they answer the same, as fast, whether or not there is an account.
 * @throws as allowMail does.
 */
export const resendMail = async (
  app: App,
  { email: typed, type, browserToken, ip }: Resend,
): Promise<void> => {
  const email = accountEmail(typed)
  await allowMail(app, 'resend', email, ip)
  await inSameTime(
    type === 'reset-password' ? mailReset(app, email) : mailVerification(app, email, browserToken),
  )
}

/** The right password was typed for an account that is not verified: within the same limits as all mailed links. */
export const mailAfterLogin = async (
  app: App,
  user: UserRecord,
  browserToken: string | null,
): Promise<void> => {
  const tries = [
    { key: `login-mail:${user.email}`, limit: COOLDOWN },
    { key: `link-mails:${user.email}`, limit: HOURLY },
  ]
  if ((await tryThrottles(app, tries)).waitSeconds > 0) return
  const browserHash = browserToken === null ? null : hashToken(browserToken)
  await app.db
    .transaction()
    .execute((tx) => mailVerificationLink(app, tx, user, { ...user, browserHash }))
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
  await spendNetwork(app, 'link-mails-from', ip, PER_NETWORK)
  await spendThrottle(app, `${call}:${email}`, COOLDOWN)
  await spendThrottle(app, `link-mails:${email}`, HOURLY)
}

const mailReset = async (app: App, email: string): Promise<void> => {
  const user = await findUserByEmail(app.db, email)
  if (!user) return
  if (user.mailboxId !== null) return askAdmins(app, email, user.mailboxId)
  await app.db.transaction().execute((tx) => mailResetLink(app, tx, user))
}

/** A browser that signed up gets what its own form said; another one gets a link that sets no password. */
const mailVerification = async (
  app: App,
  email: string,
  browserToken: string | null,
): Promise<void> => {
  const user = await findUserByEmail(app.db, email)
  if (user && user.verifiedAt === null) {
    const form = browserToken && (await findSignUpOf(app.db, user.id, hashToken(browserToken)))
    await app.db.transaction().execute((tx) => mailVerificationLink(app, tx, user, form || null))
  }
  if (!user) await mailChangeAgain(app, email)
}

const inSameTime = async (work: Promise<void>): Promise<void> => {
  await Promise.all([work, setTimeout(ANSWER_AFTER_MS)])
}
