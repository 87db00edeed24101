import { AppError, invalidField } from '#contract/errors.ts'
import { type changePassword as changePasswordRoute, NO_PASSWORD } from '#contract/profile.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { refundThrottle, tryThrottle } from '#server/features/limits/throttle.ts'
import { endingLinkFor } from '#server/features/outbox/ending-link.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import {
  mailboxPasswordChangedMail,
  ownPasswordChangedMail,
  passwordChangedMail,
} from './account-mails.ts'
import {
  findMailLink,
  findUser,
  forgetDevices,
  lockUser,
  type MailLink,
  spendMailLinks,
  type UserRecord,
  updateUser,
} from './auth-store.ts'
import { deleteIdentities } from './oauth-store.ts'
import { openAccount } from './open-account.ts'
import {
  countOwnGuess,
  forgetGuesses,
  hashPassword,
  refuseCommonPassword,
  verifyPassword,
} from './passwords.ts'
import { endOtherSessionsOf } from './session-store.ts'
import { logSignedUp, logSignInFailed, logSignInThrottled } from './start-session.ts'
import { endSessionsOf } from './user-queries.ts'
import type { Who } from './who.ts'

const WRONG_PASSWORD = 'The old password is not right'
const SAME_PASSWORD = 'Please choose a password that differs from the old one'
/** The form accepts six characters, as specified, but login asks for more. */
const SHORTEST_AT_LOGIN = 7
const TOO_SHORT_FOR_LOGIN = 'Logging in takes a password of at least 7 characters'

/**
 * Ends every other session, voids mailed links that change the account, and notifies the owner.
 * @throws VALIDATION, TOO_MANY_REQUESTS
 */
export const changePassword = async (
  app: App,
  who: Who,
  { oldPassword, newPassword }: Input<typeof changePasswordRoute>['body'],
): Promise<void> => {
  const found = await findUser(app.db, who.userId)
  if (!found) throw new AppError('NOT_EXISTS')
  if (newPassword.length < SHORTEST_AT_LOGIN) throw invalidField('newPassword', TOO_SHORT_FOR_LOGIN)
  refuseCommonPassword(newPassword, 'newPassword')
  const own = { user: found, ip: who.ip }
  await requireOwnPassword(app, own, oldPassword, 'oldPassword', WRONG_PASSWORD)
  if (newPassword === oldPassword) throw invalidField('newPassword', SAME_PASSWORD)
  const passwordHash = await hashPassword(newPassword, who.userId)
  await app.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.userId)
    // The password may have changed while this one was hashed.
    if (user.passwordHash !== found.passwordHash) throw invalidField('oldPassword', WRONG_PASSWORD)
    const now = app.clock.now()
    await updateUser(tx, user.id, { passwordHash })
    await spendMailLinks(tx, user.id, 'reset-password', now)
    await spendMailLinks(tx, user.id, 'change-email', now)
    await endOtherSessionsOf(tx, user.id, who.sessionId, now)
    await forgetDevices(tx, user.id)
    await announceSessionsEnded(tx)
    const write = user.mailboxId === null ? ownPasswordChangedMail : mailboxPasswordChangedMail
    const mail = write(user.firstName, endingLinkFor(app, who.sessionId))
    await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
  })
}

const GUESSES = { limit: 10, windowSeconds: 900 }

/**
 * An open session is not enough: the caller must know the password.
 * @throws VALIDATION at `field`; TOO_MANY_REQUESTS after ten wrong ones in 15 minutes.
 */
export const requireOwnPassword = async (
  app: App,
  { user, ip }: { user: UserRecord; ip: string },
  password: string,
  field: string,
  wrong: string,
): Promise<void> => {
  if (user.passwordHash === null) throw invalidField(field, NO_PASSWORD)
  const key = `own-password:${user.id}`
  // Counted before it is checked, so that concurrent guesses count too.
  const waitSeconds = await tryThrottle(app, key, GUESSES)
  if (waitSeconds > 0) {
    logSignInThrottled(app, { ip }, user.email, waitSeconds)
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  }
  const guess = await countOwnGuess(app, user.email)
  if (!(await verifyPassword(password, user.passwordHash, user.id))) {
    logSignInFailed(app, { ip }, user.email, 'own-password')
    throw invalidField(field, wrong)
  }
  await refundThrottle(app, key)
  await guess.takeBack()
}

const NOT_YOUR_PASSWORD = 'The password is not right'

/** For what an open session alone must not do. @throws VALIDATION at `field`, TOO_MANY_REQUESTS */
export const confirmPassword = async (
  app: App,
  { userId, ip }: Who,
  password: string,
  field: string,
): Promise<void> => {
  const user = await findUser(app.db, userId)
  if (!user) throw new AppError('NOT_EXISTS')
  await requireOwnPassword(app, { user, ip }, password, field, NOT_YOUR_PASSWORD)
}

/**
 * Sets a password with a mailed token. Ends every session and app password, forgets known browsers, removes third-party sign-in (a
 * later one is tied again by the address), and notifies the owner.
 * The link also proves the address, so it opens an unverified account.
 * @throws INVALID_SIGNATURE, LINK_EXPIRED, VALIDATION
 */
export const setNewPassword = async (
  app: App,
  { password, session: token }: { password: string; session: string },
  ip: string,
): Promise<void> => {
  const tokenHash = hashToken(token)
  const { userId } = usable(app, await findMailLink(app.db, tokenHash))
  refuseCommonPassword(password)
  const passwordHash = await hashPassword(password, ip)
  const opened = await app.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId)
    // Read again under the lock: the link works once.
    const link = usable(app, await findMailLink(tx, tokenHash))
    if (link.email !== user.email) throw new AppError('INVALID_SIGNATURE')
    const now = app.clock.now()
    await spendMailLinks(tx, user.id, 'reset-password', now)
    // Recovering the account also voids changes that an intruder asked for.
    await spendMailLinks(tx, user.id, 'change-email', now)
    // An intruder may have made app passwords, too (decision 096).
    if (user.verifiedAt) await updateUser(tx, user.id, { passwordHash, appPasswordsFrom: now })
    else await openAccount(app, tx, user, { ...user, passwordHash })
    await endSessionsOf(tx, user.id, now)
    await forgetDevices(tx, user.id)
    await deleteIdentities(tx, user.id)
    await announceSessionsEnded(tx)
    await forgetGuesses(tx, user.email, ip)
    const forgotUrl = `${app.config.publicUrl}/forgot-password`
    const mail = passwordChangedMail(user.firstName, forgotUrl)
    await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
    return user.verifiedAt ? null : { _id: user.id, email: user.email }
  })
  if (opened) logSignedUp(app, opened, ip)
}

/** What `setNewPassword` would say of the link now. Changes nothing. @throws INVALID_SIGNATURE */
export const openResetLink = async (app: App, token: string): Promise<'OPEN' | 'EXPIRED'> => {
  const link = await findMailLink(app.db, hashToken(token))
  const user = link && (await findUser(app.db, link.userId))
  if (link?.purpose !== 'reset-password' || link.usedAt || link.email !== user?.email)
    throw new AppError('INVALID_SIGNATURE')
  return link.expiresAt <= app.clock.now() ? 'EXPIRED' : 'OPEN'
}

const usable = (app: App, link: MailLink | undefined): MailLink => {
  if (link?.purpose !== 'reset-password' || link.usedAt) throw new AppError('INVALID_SIGNATURE')
  if (link.expiresAt <= app.clock.now()) throw new AppError('LINK_EXPIRED')
  return link
}
