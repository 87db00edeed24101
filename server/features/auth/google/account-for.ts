import { AppError } from '#contract/errors.ts'
import { isAddress } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from '../accounts/account-email.ts'
import { openAccount } from '../accounts/open-account.ts'
import { checkOpen } from '../accounts/sign-up.ts'
import { insertUser, lockUser, lockUserByEmail, type UserRecord } from '../auth-store.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import { findIdentityUser, hasIdentity, insertIdentity } from './oauth-store.ts'

/** As the issuer describes them. */
export type GooglePerson = {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  firstName: string
  lastName: string
}

/**
 * The account of this person, known by issuer and subject and never by address alone.
 * A first sign-in joins the account of its address only when both sides have verified that address; an
 * account that nobody verified is emptied first, since whoever made it may not own the address.
 * @throws OAUTH_FAILED, SIGN_UP_CLOSED
 */
export const accountFor = async (app: App, tx: Db, person: GooglePerson): Promise<UserRecord> => {
  const known = await findIdentityUser(tx, person.issuer, person.subject)
  if (known) return lockUser(tx, known.userId)
  const user = await accountOfAddress(app, tx, person)
  await insertIdentity(tx, {
    issuer: person.issuer,
    subject: person.subject,
    userId: user.id,
    createdAt: app.clock.now(),
  })
  return user
}

const accountOfAddress = async (app: App, tx: Db, person: GooglePerson): Promise<UserRecord> => {
  const typed = person.email?.trim().toLowerCase()
  if (typed === undefined || !isAddress(typed) || !person.isEmailVerified)
    throw new AppError('OAUTH_FAILED', {
      message: 'Google has not verified this email address, so it cannot be used to sign in here',
    })
  const email = accountEmail(typed)
  const { firstName, lastName } = person
  const existing = await lockUserByEmail(tx, email)
  if (existing && existing.mailboxId !== null)
    throw new AppError('OAUTH_FAILED', {
      message: 'This is the address of a mailbox here, which signs in with its own password',
    })
  if (existing?.verifiedAt) {
    // The address went from one Google account to another: that does not hand our account over.
    if (await hasIdentity(tx, person.issuer, existing.id)) throw new AppError('OAUTH_FAILED')
    return existing
  }
  if (existing) {
    await endSessionsOf(tx, existing.id, app.clock.now())
    return openAccount(app, tx, existing, { firstName, lastName, passwordHash: null })
  }
  await checkOpen(app, tx, email)
  const user: UserRecord = {
    id: newId(),
    email,
    firstName,
    lastName,
    avatar: null,
    passwordHash: null,
    verifiedAt: null,
    currentWorkspaceId: null,
    lastLoginAt: null,
    createdAt: app.clock.now(),
    mailboxId: null,
  }
  if (!(await insertUser(tx, user))) throw new AppError('OAUTH_FAILED')
  return openAccount(app, tx, user, { firstName, lastName, passwordHash: null })
}
