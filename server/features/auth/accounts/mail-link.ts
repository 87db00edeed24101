import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { insertMailLink, type MailLink, type UserRecord } from '../auth-store.ts'
import { isReadByOthers } from '../holders/holders.ts'
import { noResetMail, noVerificationMail, resetMail, verificationMail } from './mail-templates.ts'

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
