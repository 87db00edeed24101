/** The session for which the server draws a page when the browser's access token has run out (decision 089). */
import type { App } from '#server/app.ts'
import { readSession } from './session-store.ts'
import { readPageToken, signAccessToken } from './session-tokens.ts'

/**
 * An access token that stays in this process. Nothing is spent: the page renews its session itself, as it always does.
 * null: the page token is not ours, its session has ended, or was renewed since, which gave the browser another.
 */
export const accessForPage = async (app: App, pageToken: string): Promise<string | null> => {
  const read = readPageToken(app, pageToken)
  const session = read && (await readSession(app.db, read.sessionId))
  if (!session || session.endedAt !== null || session.expiresAt <= app.clock.now()) return null
  return session.generation === read.generation ? signAccessToken(app, session) : null
}
