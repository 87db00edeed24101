import { AppError, invalidField } from '#contract/errors.ts'
import type { editProfile as editProfileRoute, Profile } from '#contract/profile.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { accountEmail } from './account-email.ts'
import {
  findEmailChange,
  findUser,
  findUserByEmail,
  lockUser,
  spendMailLinks,
  type UserRecord,
  updateUser,
} from './auth-store.ts'
import { askForNewEmail } from './change-email.ts'
import { requireOwnPassword } from './change-password.ts'
import type { Who } from './who.ts'
import { toUser } from './who.ts'

/** Each attempt mails an address that the caller typed. */
const CHANGES = { limit: 5, windowSeconds: HOUR_SECONDS }

const PASSWORD_NEEDED = 'Please enter your current password to change the email'
const WRONG_PASSWORD = 'This is not your current password'

type Change = Input<typeof editProfileRoute>['body']

export const getProfile = async (app: App, who: Who): Promise<Profile> => {
  const user = await findUser(app.db, who.userId)
  if (!user) throw new AppError('NOT_EXISTS')
  return toProfile(app, app.db, user)
}

/**
 * Names change at once, the e-mail when its mailed link is opened. Saving the account's present e-mail
 * withdraws a waiting change.
 * @throws VALIDATION, USER_ALREADY_EXISTS, TOO_MANY_REQUESTS; then nothing is changed.
 */
export const editProfile = async (app: App, who: Who, change: Change): Promise<Profile> => {
  const found = await findUser(app.db, who.userId)
  if (!found) throw new AppError('NOT_EXISTS')
  const { email: givenEmail, password = '', ...fields } = change
  const email = givenEmail === undefined ? null : accountEmail(givenEmail)
  const isNewEmail = email !== null && email !== found.email
  if (isNewEmail) await allowNewEmail(app, { user: found, ip: who.ip }, email, password)
  return app.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.userId)
    const changed = Object.values(fields).some((value) => value !== undefined)
      ? await updateUser(tx, user.id, fields)
      : user
    if (isNewEmail) await askForNewEmail(app, tx, changed, { email, sessionId: who.sessionId })
    else if (email !== null) await spendMailLinks(tx, user.id, 'change-email', app.clock.now())
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    return toProfile(app, tx, changed)
  })
}

const allowNewEmail = async (
  app: App,
  { user, ip }: { user: UserRecord; ip: string },
  email: string,
  password: string,
): Promise<void> => {
  if (password === '' && user.passwordHash !== null) throw invalidField('password', PASSWORD_NEEDED)
  await requireOwnPassword(app, { user, ip }, password, 'password', WRONG_PASSWORD)
  await spendThrottle(app, `change-email:${user.id}`, CHANGES)
  if ((await findUserByEmail(app.db, email))?.verifiedAt) throw new AppError('USER_ALREADY_EXISTS')
}

const toProfile = async (app: App, db: Db, user: UserRecord): Promise<Profile> => {
  const change = await findEmailChange(db, user.id)
  const isWaiting = change !== undefined && change.expiresAt > app.clock.now()
  return {
    ...toUser({ ...user, userId: user.id }),
    hasPassword: user.passwordHash !== null,
    pendingEmail: isWaiting ? change.email : null,
  }
}
