/** OpenID Connect with GOOGLE_ISSUER: its endpoints and keys, discovered once and kept for an hour. */

import * as openid from 'openid-client'
import { AppError } from '#contract/errors.ts'
import { isAddress } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { remembered } from '#server/lib/cache.ts'
import { newId } from '#server/lib/ids.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from './account-email.ts'
import { googleJoinedMail } from './account-mails.ts'
import { insertUser, lockUser, lockUserByEmail, type UserRecord } from './auth-store.ts'
import { isReadByOthers } from './holders.ts'
import { mailWelcome } from './notices/welcome-mail.ts'
import { findIdentityUser, hasIdentity, insertIdentity } from './oauth-store.ts'
import { openAccount } from './open-account.ts'
import { checkOpen } from './sign-up.ts'
import { endSessionsOf } from './user-queries.ts'

const TIMEOUT_SECONDS = 10

/** @throws GOOGLE_NOT_SET_UP; OAUTH_FAILED when the issuer does not answer. */
export const googleClient = async (app: App): Promise<openid.Configuration> => {
  const { google } = app.config
  if (google === null) throw new AppError('GOOGLE_NOT_SET_UP')
  try {
    return await remembered(app.caches.googleClient, google.issuer, () => discover(app, google))
  } catch (error) {
    app.log.warn({ err: error }, 'the sign-in issuer was not reached')
    throw new AppError('OAUTH_FAILED')
  }
}

export const redirectUri = (app: App): string => `${app.config.publicUrl}/google-login`

const discover = (
  app: App,
  google: NonNullable<App['config']['google']>,
): Promise<openid.Configuration> => {
  const issuer = new URL(google.issuer)
  return openid.discovery(
    issuer,
    google.clientId,
    undefined,
    google.clientSecret === null ? openid.None() : openid.ClientSecretPost(google.clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Checks the signature of an ID token, although it came over TLS.
        openid.enableNonRepudiationChecks,
        // Only an issuer on this machine may be used without TLS.
        ...(isOnThisMachine(app, issuer) ? [openid.allowInsecureRequests] : []),
      ],
    },
  )
}

const isOnThisMachine = (app: App, issuer: URL): boolean =>
  (app.config.isLocal || app.config.allowLoopbackPeers) &&
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(issuer.hostname)

/** The issuer's claims about the person. */
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
 * Finds or opens the person's account, by issuer and subject and never by address alone.
 * A first sign-in joins the account with its address only when both sides have verified the address. An
 * unverified account is emptied first: its creator may not own the address.
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
  // Every reader of mail to the address could have proven it to Google.
  if (await isReadByOthers(app, tx, { id: existing?.id ?? newId(), email }))
    throw new AppError('OAUTH_FAILED', { message: READ_BY_OTHERS })
  if (existing?.verifiedAt) {
    // The address moved from one Google account to another: this does not hand over our account.
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
    return openAndWelcome(app, tx, existing, person)
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
  return openAndWelcome(app, tx, user, person)
}

const openAndWelcome = async (
  app: App,
  tx: Db,
  user: UserRecord,
  { firstName, lastName }: GooglePerson,
): Promise<UserRecord> => {
  const opened = await openAccount(app, tx, user, { firstName, lastName, passwordHash: null })
  await mailWelcome(app, tx, opened)
  return opened
}

const tellOfJoining = (app: App, tx: Db, { email, firstName }: UserRecord): Promise<void> =>
  sendSystemMail(app, tx, {
    to: email,
    ...googleJoinedMail(firstName, `${app.config.publicUrl}/forgot-password`),
  })
