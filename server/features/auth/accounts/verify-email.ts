import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import {
  findMailLink,
  lockUser,
  type MailLink,
  spendMailLinks,
  type UserRecord,
} from '../auth-store.ts'
import { type Client, type StartedSession, startSession } from '../sessions/start-session.ts'
import { takeNewEmail } from './change-email.ts'
import { openAccount } from './open-account.ts'

export type Verified =
  | { type: 'VERIFIED'; email: string; isChange: boolean; started: StartedSession }
  | { type: 'LINK_EXPIRED' | 'ALREADY_VERIFIED'; email: string }

/**
 * Opens a verification link: the account opens, or its new e-mail takes effect, and its owner is signed in.
 * @throws INVALID_SIGNATURE when we mailed no such link.
 */
export const verifyEmail = (app: App, token: string, client: Client): Promise<Verified> =>
  app.db.transaction().execute(async (tx) => {
    const tokenHash = hashToken(token)
    const found = await findMailLink(tx, tokenHash)
    if (!found || found.purpose === 'reset-password') throw new AppError('INVALID_SIGNATURE')
    const user = await lockUser(tx, found.userId)
    // Read again behind the lock: somebody may have opened it meanwhile.
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
      passwordHash: link.passwordHash,
    })
    const started = await startSession(app, tx, opened, client)
    return { type: 'VERIFIED', email, isChange: false, started }
  })

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
  const started = await startSession(app, tx, changed, client)
  return { type: 'VERIFIED', email, isChange: true, started }
}
