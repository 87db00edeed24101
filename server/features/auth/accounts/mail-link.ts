import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { insertMailLink, type UserRecord } from '../auth-store.ts'
import { isReadByOthers } from '../holders/holders-store.ts'
import { noResetMail, resetMail, verificationMail } from './mail-templates.ts'

// Long enough for greylisting and a night's sleep; a reset is asked for by somebody who sits there.
const VERIFICATION_SECONDS = 24 * 3600
const RESET_SECONDS = 3600

/**
 * The link carries the names and the password of the sign-up that asked for it, so that opening one's own
 * mail never confirms a password that somebody else chose for the address.
 */
export const mailVerificationLink = async (app: App, db: Db, user: UserRecord): Promise<void> => {
  const token = randomToken()
  const now = app.clock.now()
  await insertMailLink(db, {
    tokenHash: hashToken(token),
    userId: user.id,
    purpose: 'email-verification',
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    passwordHash: user.passwordHash,
    createdAt: now,
    expiresAt: secondsAfter(now, VERIFICATION_SECONDS),
    usedAt: null,
  })
  const link = `${app.config.publicUrl}/verify-email?token=${token}`
  await sendSystemMail(app, db, { to: user.email, ...verificationMail(user.firstName, link) })
}

/** To a mailbox here that somebody else reads too, no link goes: they could set the password of an account that is not theirs. */
export const mailResetLink = async (app: App, db: Db, user: UserRecord): Promise<void> => {
  if (await isReadByOthers(db, user)) {
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
