/**
 * The link in mails of a new sign-in and of what was changed in an account: it ends the session that did it, without signing in. It is
 * a MAC of the session's id, so nothing is stored; it works once, since a session ends once.
 */
import type { endSessionByLink, openEndingLink } from '#contract/account/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endingMacOf } from '#server/features/outbox/ending-link.ts'
import { isId } from '#server/lib/ids.ts'
import { equalBytes } from '#server/lib/secrets.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { findUser } from '../auth-store.ts'
import { browserName } from '../notices/browser-name.ts'
import { endOwnSession, hasEnded, readSession, type Session } from '../session-store.ts'

/** @throws INVALID_SIGNATURE when we made no such link, or the session is long gone */
const sessionOf = async (app: App, token: string): Promise<Session> => {
  const [id = '', mac = ''] = token.split('.')
  const isOurs = isId(id) && equalBytes(Buffer.from(mac), Buffer.from(endingMacOf(app, id)))
  const session = isOurs ? await readSession(app.db, id) : undefined
  if (session === undefined) throw new AppError('INVALID_SIGNATURE')
  return session
}

/** Changes nothing, since mail scanners open links too. @throws INVALID_SIGNATURE */
export const openSessionLink = async (
  app: App,
  token: string,
): Promise<Output<typeof openEndingLink>> => {
  const session = await sessionOf(app, token)
  const user = await findUser(app.db, session.userId)
  if (user === undefined || hasEnded(session, app.clock.now())) return { type: 'ENDED' }
  return {
    ...{ type: 'OPEN', email: user.email, browser: browserName(session.userAgent) },
    ...{ ip: session.ip, createdAt: session.createdAt.toISOString() },
  }
}

/** @throws INVALID_SIGNATURE; LINK_EXPIRED when the session has ended already */
export const endByLink = async (
  app: App,
  token: string,
): Promise<Output<typeof endSessionByLink>> => {
  const { id, userId } = await sessionOf(app, token)
  const now = app.clock.now()
  return app.db.transaction().execute(async (tx) => {
    const user = await findUser(tx, userId)
    if (user === undefined || !(await endOwnSession(tx, userId, id, now)))
      throw new AppError('LINK_EXPIRED', { message: 'This session has ended already' })
    await announceSessionsEnded(tx)
    return { email: user.email, isHolder: user.mailboxId !== null }
  })
}
