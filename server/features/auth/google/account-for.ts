import { AppError } from '#contract/errors.ts'
import { isAddress } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { newId } from '#server/lib/ids.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from '../accounts/account-email.ts'
import { googleJoinedMail } from '../accounts/mail-templates.ts'
import { openAccount } from '../accounts/open-account.ts'
import { checkOpen } from '../accounts/sign-up.ts'
import { insertUser, lockUser, lockUserByEmail, type UserRecord } from '../auth-store.ts'
import { isReadByOthers } from '../holders/holders.ts'
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

const READ_BY_OTHERS =
  'Other people may read mail to this address here, so Google cannot prove that it is yours'

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
  // Whoever reads mail to the address could have proven it to Google.
  if (await isReadByOthers(app, tx, { id: existing?.id ?? newId(), email }))
    throw new AppError('OAUTH_FAILED', { message: READ_BY_OTHERS })
  if (existing?.verifiedAt) {
    // The address went from one Google account to another: that does not hand our account over.
    if (await hasIdentity(tx, person.issuer, existing.id)) throw new AppError('OAUTH_FAILED')
    await tellOfJoining(app, tx, existing)
    const { id } = existing
    afterCommit(tx, () =>
      app.logEvent('right-changed', {
        ...{ workspaceId: null, what: 'account', objectId: id },
        ...{ change: 'google-joined', by: id, whose: id },
      }),
    )
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

const tellOfJoining = (app: App, tx: Db, { email, firstName }: UserRecord): Promise<void> =>
  sendSystemMail(app, tx, {
    to: email,
    ...googleJoinedMail(firstName, `${app.config.publicUrl}/forgot-password`),
  })
