/** A session without a login: a session row and the headers that use it. */
import type { App } from '#server/app.ts'
import { findUser } from '#server/features/accounts/auth-store.ts'
import { requireStarted, startSession } from '#server/features/accounts/start-session.ts'
import type { User } from './builders.ts'

export type TestSession = {
  headers: { authorization: string }
  /** For a Cookie header. */
  refreshCookie: string
}

export const aSession = async (app: App, user: Pick<User, 'id'>): Promise<TestSession> => {
  const row = await findUser(app.db, user.id)
  if (!row) throw new Error('no such user')
  const client = {
    ip: '127.0.0.1',
    userAgent: 'test',
    // Always the same browser: of another one its owner would be told.
    deviceToken: `browser of ${user.id}`,
    trustTokens: [],
  }
  const started = requireStarted(await startSession(app, app.db, row, client, 'password'))
  return {
    headers: { authorization: `Bearer ${started.answer.token}` },
    refreshCookie: `mailstead_refresh=${started.refreshToken}`,
  }
}
