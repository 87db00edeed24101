/** OpenID Connect with GOOGLE_ISSUER: its endpoints and keys, discovered once and kept for an hour. */
import * as openid from 'openid-client'
import { AppError } from '#contract/errors.ts'
import { isAddress } from '#contract/fields.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { newId } from '#server/lib/ids.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from './account-email.ts'
import { googleJoinedMail } from './account-mails.ts'
import { insertUser, lockUser, lockUserByEmail, type UserRecord } from './auth-store.ts'
import { isReadByOthers } from './holders.ts'
import { findIdentityUser, hasIdentity, insertIdentity } from './oauth-store.ts'
import { openAccount } from './open-account.ts'
import { endSessionsOf } from './session-store.ts'
import { checkOpen } from './sign-up.ts'

const KEPT_MS = 3_600_000
const TIMEOUT_SECONDS = 10

type Known = { found: Promise<openid.Configuration>; at: number }
const known = new Map<string, Known>()

/** @throws GOOGLE_NOT_SET_UP; OAUTH_FAILED when the issuer does not answer. */
export const googleClient = async (app: App): Promise<openid.Configuration> => {
  const { google } = app.config
  if (google === null) throw new AppError('GOOGLE_NOT_SET_UP')
  const key = JSON.stringify(google)
  const now = app.clock.now().getTime()
  const kept = known.get(key)
  const found = kept && now - kept.at < KEPT_MS ? kept.found : discover(app, google)
  known.set(key, { found, at: kept?.found === found ? kept.at : now })
  try {
    return await found
  } catch (error) {
    known.delete(key)
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
        // The signature of an ID token is looked at, though TLS brought it.
        openid.enableNonRepudiationChecks,
        // Never over the open network: only an issuer on this very machine may do without TLS.
        ...(isOnThisMachine(app, issuer) ? [openid.allowInsecureRequests] : []),
      ],
    },
  )
}

const isOnThisMachine = (app: App, issuer: URL): boolean =>
  (app.config.isLocal || app.config.allowLoopbackPeers) &&
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(issuer.hostname)

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
