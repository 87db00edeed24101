import { setTimeout } from 'node:timers/promises'
import { RESEND_COOLDOWN_SECONDS } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { LINKS_PER_ADDRESS } from '#server/features/limits/mailed-links.ts'
import { spendNetwork, spendThrottle, tryThrottles } from '#server/features/limits/throttle.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
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
import { resendEmailChange } from './change-email.ts'
import { askAdmins, isReadByOthers } from './holders.ts'

// Long enough for greylisting and a night; a reset is requested by a person who waits for it.
const VERIFICATION_SECONDS = DAY_SECONDS
const RESET_SECONDS = HOUR_SECONDS

/** The values of the form that requests the mail, and its browser. */
export type SignUpForm = Pick<MailLink, 'firstName' | 'lastName' | 'passwordHash' | 'browserHash'>

/**
 * The link carries the names and the password of the form that requested it, or none without a form: opening the owner's
 * mail never confirms a password that a stranger chose for the address. No link is mailed to a mailbox here with
 * readers: it would sign them in to another person's account
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

/** A link that sets a new password, for the operator to hand over. */
export const resetLinkFor = async (
  app: Pick<App, 'config' | 'clock'>,
  db: Db,
  user: Pick<UserRecord, 'id' | 'email'>,
): Promise<{ link: string; expiresAt: Date }> => {
  const token = randomToken()
  const now = app.clock.now()
  const expiresAt = secondsAfter(now, RESET_SECONDS)
  await insertMailLink(db, {
    ...{ tokenHash: hashToken(token), userId: user.id, purpose: 'reset-password' },
    ...{ email: user.email, firstName: null, lastName: null, passwordHash: null },
    ...{ createdAt: now, expiresAt, usedAt: null },
  })
  return { link: `${app.config.publicUrl}/create-new-password?token=${token}`, expiresAt }
}

/** No link is mailed to a mailbox here with other readers: they could set the password of another person's account. */
export const mailResetLink = async (app: App, db: Db, user: UserRecord): Promise<void> => {
  if (await isReadByOthers(app, db, user)) {
    await sendSystemMail(app, db, {
      to: user.email,
      ...noResetMail(user.firstName, `${app.config.publicUrl}/login`),
    })
    return
  }
  const { link } = await resetLinkFor(app, db, user)
  await sendSystemMail(app, db, { to: user.email, ...resetMail(user.firstName, link) })
}

const COOLDOWN = { limit: 1, windowSeconds: RESEND_COOLDOWN_SECONDS }
/** Per network, for all addresses together: an office requests less often. */
const PER_NETWORK = { limit: 60, windowSeconds: HOUR_SECONDS }
/** Longer than writing and queueing a mail takes, so that the response time tells nothing. */
const ANSWER_AFTER_MS = 120

type Resend = {
  email: string
  type: 'email-verification' | 'reset-password'
  /** From the browser's cookie; null in a new browser. */
  browserToken: string | null
  ip: string
}

/**
 * Forgot password and both kinds of resend: same answer, in the same time, whether or not the account exists.
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

/** For the right password of an unverified account: the same limits as for all mailed links. */
export const mailAfterLogin = async (
  app: App,
  user: UserRecord,
  browserToken: string | null,
): Promise<void> => {
  const tries = [
    { key: `login-mail:${user.email}`, limit: COOLDOWN },
    { key: `link-mails:${user.email}`, limit: LINKS_PER_ADDRESS },
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
  await spendThrottle(app, `link-mails:${email}`, LINKS_PER_ADDRESS)
}

const mailReset = async (app: App, email: string): Promise<void> => {
  const user = await findUserByEmail(app.db, email)
  if (!user) return
  if (user.mailboxId !== null) return askAdmins(app, email, user.mailboxId)
  await app.db.transaction().execute((tx) => mailResetLink(app, tx, user))
}

/** A browser that signed up gets a link with its own form's values; another browser gets one that sets no password. */
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
  if (!user) await resendEmailChange(app, email)
}

const inSameTime = async (work: Promise<void>): Promise<void> => {
  await Promise.all([work, setTimeout(ANSWER_AFTER_MS)])
}

type OneTimeLink = { outcome: string | null; expiresAt: Date }

/** Whether a link that works once still does; else how it ended, or that it came too late. */
export const stateOfLink = <Ended extends string>(
  app: App,
  { outcome, expiresAt }: { outcome: Ended | null; expiresAt: Date },
): Ended | 'EXPIRED' | 'OPEN' => outcome ?? (expiresAt <= app.clock.now() ? 'EXPIRED' : 'OPEN')

/** @throws INVALID_SIGNATURE when we made no such link, or it was used or taken back; LINK_EXPIRED */
export function requireOpen<Link extends OneTimeLink>(app: App, found: Link | undefined): Link {
  const state = found && stateOfLink(app, found)
  if (state === 'EXPIRED') throw new AppError('LINK_EXPIRED')
  if (!found || state !== 'OPEN') throw new AppError('INVALID_SIGNATURE')
  return found
}
