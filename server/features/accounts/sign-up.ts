import type { z } from 'zod'
import type { signUpForm } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import {
  networkOf,
  refundThrottles,
  spendNetwork,
  tryThrottle,
} from '#server/features/limits/throttle.ts'
import { settingsNow } from '#server/features/operators/chosen-settings.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { accountEmail } from './account-email.ts'
import {
  findUserByEmail,
  hasUsers,
  insertUser,
  isInvited,
  lockSignUps,
  lockUserByEmail,
  type UserRecord,
  updateUser,
} from './auth-store.ts'
import { mailVerificationLink } from './mail-link.ts'
import { hashPassword, refuseCommonPassword } from './passwords.ts'

const SIGN_UPS = { limit: 20, windowSeconds: HOUR_SECONDS }
/** Limit on answers that reveal whether an address has an account. */
const TAKEN = { limit: 100, windowSeconds: HOUR_SECONDS }
const MAIL_AGAIN = { limit: 1, windowSeconds: 30 }
const MAIL_HOURLY = { limit: 5, windowSeconds: HOUR_SECONDS }

/** The browser of the form; its token is in a cookie. */
export type Browser = { ip: string; token: string }

/**
 * Makes an account that opens when its mailed link is opened (decision 007).
 * @throws USER_ALREADY_EXISTS; NOT_VERIFIED, which mails again; SIGN_UP_CLOSED; VALIDATION; TOO_MANY_REQUESTS
 */
export const signUp = async (
  app: App,
  form: z.output<typeof signUpForm>,
  browser: Browser,
): Promise<void> => {
  const email = accountEmail(form.email)
  if ((await settingsNow(app)).signUp === 'closed') throw new AppError('SIGN_UP_CLOSED')
  refuseCommonPassword(form.password)
  const counted = await spendNetwork(app, 'sign-up', browser.ip, SIGN_UPS)
  try {
    await register(app, { ...form, email }, browser)
  } catch (error) {
    await refundThrottles(app, counted)
    throw error
  }
}

const register = async (
  app: App,
  form: z.output<typeof signUpForm>,
  { ip, token }: Browser,
): Promise<void> => {
  const known = await findUserByEmail(app.db, form.email)
  if (known) await spendNetwork(app, 'sign-up-taken', ip, TAKEN)
  if (known?.verifiedAt) throw new AppError('USER_ALREADY_EXISTS')
  const user: UserRecord = {
    id: newId(),
    email: form.email,
    firstName: form.firstName,
    lastName: form.lastName,
    avatar: null,
    passwordHash: await hashPassword(form.password, ip),
    verifiedAt: null,
    currentWorkspaceId: null,
    lastLoginAt: null,
    createdAt: app.clock.now(),
    mailboxId: null,
  }
  const browserHash = hashToken(token)
  const isNew = await app.db.transaction().execute(async (tx) => {
    if (!known) await checkOpen(app, tx)
    const isInserted = await insertUser(tx, user)
    if (isInserted) await mailVerificationLink(app, tx, user, { ...user, browserHash })
    return isInserted
  })
  if (isNew) return
  await registerAgain(app, { ...user, browserHash }, ip)
  throw new AppError('NOT_VERIFIED')
}

/**
 * Each sign-up has its own link, which alone carries the values of its form. The account keeps the newest, to tell
 * a person who logs in with that password that it is not verified.
 */
const registerAgain = async (
  app: App,
  user: UserRecord & { browserHash: Buffer },
  ip: string,
): Promise<void> => {
  // Per network: a stranger must not be able to use up the owner's mails.
  const key = `sign-up-mail:${user.email}:${networkOf(ip)}`
  const isMailed =
    (await tryThrottle(app, key, MAIL_AGAIN)) === 0 &&
    (await tryThrottle(app, `${key}:hour`, MAIL_HOURLY)) === 0
  await app.db.transaction().execute(async (tx) => {
    const known = await lockUserByEmail(tx, user.email)
    if (!known || known.verifiedAt) throw new AppError('USER_ALREADY_EXISTS')
    const { firstName, lastName, passwordHash } = user
    await updateUser(tx, known.id, { firstName, lastName, passwordHash })
    if (isMailed) await mailVerificationLink(app, tx, known, user)
  })
}

/**
 * Where sign-up is by invitation, only the first account, which is the operator's, and invited people may sign up.
 * `provenEmail`: a proven address, as from Google; others sign up by the link of their invitation.
 */
export const checkOpen = async (app: App, tx: Db, provenEmail?: string): Promise<void> => {
  const { signUp } = await settingsNow({ ...app, db: tx })
  if (signUp === 'open') return
  await lockSignUps(tx)
  if (signUp === 'invite') {
    if (!(await hasUsers(tx))) return
    if (provenEmail !== undefined && (await isInvited(tx, provenEmail, app.clock.now()))) return
  }
  throw new AppError('SIGN_UP_CLOSED')
}
