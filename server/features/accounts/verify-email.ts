import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { noPasswordMail } from './account-mails.ts'
import {
  findMailLink,
  hasRivals,
  isKnownDevice,
  lockUser,
  type MailLink,
  spendMailLinks,
  type UserRecord,
} from './auth-store.ts'
import { takeNewEmail, tellFormerAddress } from './change-email.ts'
import { mailWelcome } from './notices/welcome-mail.ts'
import { openAccount } from './open-account.ts'
import {
  type Client,
  logSignedIn,
  logSignedUp,
  requireStarted,
  type StartedSession,
  startSession,
} from './start-session.ts'

export type Verified =
  | { type: 'VERIFIED'; email: string; isChange: boolean; started: StartedSession }
  /** `isChanged`: the e-mail has just changed; the caller is not signed in. */
  | { type: 'LINK_EXPIRED' | 'ALREADY_VERIFIED'; email: string; isChanged?: true }

/**
 * Opens a verification link: opens the account or applies its new e-mail, and signs the owner in.
 * A used link of a verified account is not reported as broken (decision 005).
 * @throws INVALID_SIGNATURE for an unknown link.
 */
export const verifyEmail = async (app: App, token: string, client: Client): Promise<Verified> => {
  const verified = await open(app, token, client)
  if (verified.type !== 'VERIFIED') return verified
  const { started, isChange } = verified
  if (!isChange) logSignedUp(app, started.answer.user, client.ip)
  logSignedIn(app, started, client, 'mailed-link')
  return verified
}

const open = (app: App, token: string, client: Client): Promise<Verified> =>
  app.db.transaction().execute(async (tx) => {
    const tokenHash = hashToken(token)
    const found = await findMailLink(tx, tokenHash)
    if (!found || found.purpose === 'reset-password') throw new AppError('INVALID_SIGNATURE')
    const user = await lockUser(tx, found.userId)
    // Read again under the lock: it may have been opened meanwhile.
    const link = await findMailLink(tx, tokenHash)
    if (!link) throw new AppError('INVALID_SIGNATURE')
    if (link.purpose === 'change-email') return openChange(app, tx, user, link, client)
    if (link.email !== user.email) throw new AppError('INVALID_SIGNATURE')
    const { email } = link
    if (user.verifiedAt) return { type: 'ALREADY_VERIFIED', email }
    if (link.usedAt) throw new AppError('INVALID_SIGNATURE')
    const now = app.clock.now()
    if (link.expiresAt <= now) return { type: 'LINK_EXPIRED', email }
    await spendMailLinks(tx, user.id, 'email-verification', now)
    const opened = await openAccount(app, tx, user, {
      firstName: link.firstName ?? user.firstName,
      lastName: link.lastName ?? user.lastName,
      passwordHash: (await isOwnForm(tx, link, client)) ? link.passwordHash : null,
    })
    if (opened.passwordHash === null) await tellOfNoPassword(app, tx, opened)
    else await mailWelcome(app, tx, opened)
    // The account is new: it has no second factor yet.
    const started = requireStarted(await startSession(app, tx, opened, client, 'mailed-link'))
    return { type: 'VERIFIED', email, isChange: false, started }
  })

/**
 * When several people signed up with one address, only one owns it, and the owner cannot tell the links
 * apart: so a password takes effect only in the browser in which it was typed.
 */
const isOwnForm = async (tx: Db, link: MailLink, { deviceToken }: Client): Promise<boolean> => {
  if (!(await hasRivals(tx, link))) return true
  const { browserHash } = link
  return browserHash !== null && deviceToken !== null && hashToken(deviceToken).equals(browserHash)
}

const tellOfNoPassword = (app: App, tx: Db, { email, firstName }: UserRecord): Promise<void> => {
  const mail = noPasswordMail(firstName, `${app.config.publicUrl}/forgot-password`)
  return sendSystemMail(app, tx, { to: email, ...mail })
}

/** Another browser is not signed in: the account may be that of a stranger who typed the address. */
const openChange = async (
  app: App,
  tx: Db,
  user: UserRecord,
  link: MailLink,
  client: Client,
): Promise<Verified> => {
  const { email } = link
  if (user.email === email) return { type: 'ALREADY_VERIFIED', email }
  if (link.usedAt) throw new AppError('INVALID_SIGNATURE')
  if (link.expiresAt <= app.clock.now()) return { type: 'LINK_EXPIRED', email }
  const changed = await takeNewEmail(app, tx, user, email)
  const { deviceToken } = client
  const isKnown = deviceToken !== null && (await isKnownDevice(tx, user.id, hashToken(deviceToken)))
  const entered = isKnown ? await startSession(app, tx, changed, client, 'mailed-link') : null
  // The second step is done by whoever logs in.
  const started = entered === null || 'challenge' in entered ? null : entered
  const changers = [link.sessionId, started?.sessionId].filter((id) => id != null)
  await tellFormerAddress(app, tx, user, email, changers)
  if (started === null) return { type: 'ALREADY_VERIFIED', email, isChanged: true }
  return { type: 'VERIFIED', email, isChange: true, started }
}
