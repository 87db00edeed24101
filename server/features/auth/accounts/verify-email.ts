import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findMailLink, lockUser, spendMailLinks } from '../auth-store.ts'
import { type Client, type StartedSession, startSession } from '../sessions/start-session.ts'
import { openAccount } from './open-account.ts'

export type Verified =
  | { type: 'VERIFIED'; email: string; started: StartedSession }
  | { type: 'LINK_EXPIRED' | 'ALREADY_VERIFIED'; email: string }

/**
 * Opens a verification link: the account opens and its owner is signed in.
 * @throws INVALID_SIGNATURE when we mailed no such link.
 */
export const verifyEmail = (app: App, token: string, client: Client): Promise<Verified> =>
  app.db.transaction().execute(async (tx) => {
    const tokenHash = hashToken(token)
    const found = await findMailLink(tx, tokenHash)
    if (found?.purpose !== 'email-verification') throw new AppError('INVALID_SIGNATURE')
    const user = await lockUser(tx, found.userId)
    // Read again behind the lock: somebody may have opened it meanwhile.
    const link = await findMailLink(tx, tokenHash)
    if (!link || link.email !== user.email) throw new AppError('INVALID_SIGNATURE')
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
    return { type: 'VERIFIED', email, started: await startSession(app, tx, opened, client) }
  })
