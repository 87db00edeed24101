import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { findMailLink, lockUser, type MailLink, spendMailLinks, updateUser } from '../auth-store.ts'
import { forgetDevices } from '../devices-store.ts'
import { deleteIdentities } from '../google/oauth-store.ts'
import { refuseCommonPassword } from '../passwords/common-passwords.ts'
import { forgetGuesses } from '../passwords/guesses.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { logSignedUp } from '../sessions/log-signed-in.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import { passwordChangedMail } from './mail-templates.ts'
import { openAccount } from './open-account.ts'

/**
 * Sets a password with a mailed token. Every session ends, no browser is known any more, a third-party sign-in is tied anew
 * by its address, and the owner is told by mail.
 * Opening the link proves the address too, so it opens an account that was never verified.
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
    // Read again behind the lock: the link works once.
    const link = usable(app, await findMailLink(tx, tokenHash))
    if (link.email !== user.email) throw new AppError('INVALID_SIGNATURE')
    const now = app.clock.now()
    await spendMailLinks(tx, user.id, 'reset-password', now)
    // Whoever takes the account back also takes back what a stranger in it asked for.
    await spendMailLinks(tx, user.id, 'change-email', now)
    if (user.verifiedAt) await updateUser(tx, user.id, { passwordHash })
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

const usable = (app: App, link: MailLink | undefined): MailLink => {
  if (link?.purpose !== 'reset-password' || link.usedAt) throw new AppError('INVALID_SIGNATURE')
  if (link.expiresAt <= app.clock.now()) throw new AppError('LINK_EXPIRED')
  return link
}
