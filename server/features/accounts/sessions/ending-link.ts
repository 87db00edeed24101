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

/** @throws INVALID_SIGNATURE when we made no such link, or the sessions are long gone */
const sessionsOf = async (app: App, token: string): Promise<[Session, ...Session[]]> => {
  const ids = token.split('.')
  const mac = ids.pop() ?? ''
  const isOurs =
    ids.every(isId) && equalBytes(Buffer.from(mac), Buffer.from(endingMacOf(app, ids.join('.'))))
  const found = isOurs ? await Promise.all(ids.map((id) => readSession(app.db, id))) : []
  const [session, ...others] = found.filter((each) => each !== undefined)
  if (session === undefined) throw new AppError('INVALID_SIGNATURE')
  return [session, ...others]
}

/** Changes nothing, since mail scanners open links too. @throws INVALID_SIGNATURE */
export const openSessionLink = async (
  app: App,
  token: string,
): Promise<Output<typeof openEndingLink>> => {
  const sessions = await sessionsOf(app, token)
  const session = sessions.find((each) => !hasEnded(each, app.clock.now()))
  const user = session && (await findUser(app.db, session.userId))
  if (session === undefined || user === undefined) return { type: 'ENDED' }
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
  const [first, ...others] = await sessionsOf(app, token)
  const { userId } = first
  const now = app.clock.now()
  return app.db.transaction().execute(async (tx) => {
    const user = await findUser(tx, userId)
    let ended = 0
    for (const { id } of [first, ...others])
      if (await endOwnSession(tx, userId, id, now)) ended += 1
    if (user === undefined || ended === 0)
      throw new AppError('LINK_EXPIRED', { message: 'This session has ended already' })
    await announceSessionsEnded(tx)
    return { email: user.email, isHolder: user.mailboxId !== null }
  })
}
