/**
 * Changes the e-mail of an account: it takes effect when the link mailed to it is opened, and the old address is notified
 * (decision 009).
 */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { endingLinkFor } from '#server/features/outbox/ending-link.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import {
  emailChangedMail,
  emailChangeRequestedMail,
  newEmailMail,
  noNewEmailMail,
} from './account-mails.ts'
import {
  deleteUnverifiedUser,
  findEmailChangeTo,
  findUser,
  findUserByEmail,
  insertMailLink,
  spendMailLinks,
  type UserRecord,
  updateUser,
} from './auth-store.ts'
import { isReadByOthers } from './holders.ts'

const LINK_SECONDS = DAY_SECONDS

/** Mails the link, and voids waiting links for other addresses. */
export const askForNewEmail = async (
  app: App,
  tx: Db,
  user: UserRecord,
  { email, sessionId }: { email: string; sessionId: string },
): Promise<void> => {
  await mailChangeLink(app, tx, user, { email, sessionId })
  const link = endingLinkFor(app, sessionId)
  const notice = emailChangeRequestedMail(user.firstName, email, link)
  await sendSystemMail(app, tx, { to: user.email, ...notice, link: null })
}

/** Mails an expired link again; does nothing when no change to this address waits. */
export const resendEmailChange = async (app: App, email: string): Promise<void> => {
  const link = await findEmailChangeTo(app.db, email)
  const user = link && (await findUser(app.db, link.userId))
  const asked = { email, sessionId: link?.sessionId ?? null }
  if (user) await app.db.transaction().execute((tx) => mailChangeLink(app, tx, user, asked))
}

/**
 * Applies a proven address. An unverified account with this address is deleted.
 * @throws USER_ALREADY_EXISTS when another account proved it meanwhile.
 */
export const takeNewEmail = async (
  app: App,
  tx: Db,
  user: UserRecord,
  email: string,
): Promise<UserRecord> => {
  await deleteUnverifiedUser(tx, email)
  if (await findUserByEmail(tx, email)) throw new AppError('USER_ALREADY_EXISTS')
  await updateUser(tx, user.id, { email })
  await spendMailLinks(tx, user.id, 'change-email', app.clock.now())
  return { ...user, email }
}

/** Mails the former address the link that ends the sessions which changed it. */
export const tellFormerAddress = async (
  app: App,
  tx: Db,
  { firstName, email: to }: Pick<UserRecord, 'firstName' | 'email'>,
  email: string,
  sessionIds: readonly string[],
): Promise<void> => {
  const link = sessionIds.length === 0 ? null : endingLinkFor(app, ...sessionIds)
  const notice = emailChangedMail(firstName, email, { link, helpUrl: app.config.publicUrl })
  await sendSystemMail(app, tx, { to, ...notice, link: null })
}

/** No link is mailed to a mailbox here with other readers: opening it signs the reader in. */
const mailChangeLink = async (
  app: App,
  tx: Db,
  user: UserRecord,
  { email, sessionId }: { email: string; sessionId: string | null },
): Promise<void> => {
  const token = randomToken()
  const now = app.clock.now()
  const isShared = await isReadByOthers(app, tx, { id: user.id, email })
  await spendMailLinks(tx, user.id, 'change-email', now)
  if (isShared) {
    const mail = noNewEmailMail(user.firstName, `${app.config.publicUrl}/login`)
    return sendSystemMail(app, tx, { to: email, ...mail, link: null })
  }
  await insertMailLink(tx, {
    tokenHash: hashToken(token),
    userId: user.id,
    purpose: 'change-email',
    email,
    firstName: null,
    lastName: null,
    passwordHash: null,
    createdAt: now,
    expiresAt: secondsAfter(now, LINK_SECONDS),
    usedAt: null,
    sessionId,
  })
  const link = `${app.config.publicUrl}/verify-email?token=${token}`
  await sendSystemMail(app, tx, { to: email, ...newEmailMail(user.firstName, link) })
}
