import { AppError, invalidField } from '#contract/errors.ts'
import type { changePassword as changePasswordRoute } from '#contract/profile.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { findUser, lockUser, spendMailLinks, updateUser } from '../auth-store.ts'
import { forgetDevices } from '../devices-store.ts'
import { refuseCommonPassword } from '../passwords/common-passwords.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { endOtherSessionsOf } from '../sessions/session-store.ts'
import type { Who } from '../who.ts'
import { requireOwnPassword } from './own-password.ts'
import { mailboxPasswordChangedMail, ownPasswordChangedMail } from './profile-mails.ts'

const WRONG_PASSWORD = 'The old password is not right'
const SAME_PASSWORD = 'Please choose a password that differs from the old one'
/** The form takes six, as specified; with six nobody could ever log in again. */
const SHORTEST_AT_LOGIN = 7
const TOO_SHORT_FOR_LOGIN = 'Logging in takes a password of at least 7 characters'

/**
 * Every other session ends, mailed links that would change the account are void, and the owner is told.
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
    // Somebody may have set another one while this one was hashed.
    if (user.passwordHash !== found.passwordHash) throw invalidField('oldPassword', WRONG_PASSWORD)
    const now = app.clock.now()
    await updateUser(tx, user.id, { passwordHash })
    await spendMailLinks(tx, user.id, 'reset-password', now)
    await spendMailLinks(tx, user.id, 'change-email', now)
    await endOtherSessionsOf(tx, user.id, who.sessionId, now)
    await forgetDevices(tx, user.id)
    await announceSessionsEnded(tx)
    const { publicUrl } = app.config
    const mail =
      user.mailboxId === null
        ? ownPasswordChangedMail(user.firstName, `${publicUrl}/forgot-password`)
        : mailboxPasswordChangedMail(user.firstName, `${publicUrl}/login`)
    await sendSystemMail(app, tx, { to: user.email, ...mail, link: null })
  })
}
