import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { readAccessToken } from './access-token.ts'
import { readRefreshToken } from './refresh-token.ts'
import { endSessionRow } from './session-store.ts'

/**
 * Ends the session of the refresh token and that of the access token, usually the same one.
 * Logging out twice, or with tokens that ran out, is no error.
 */
export const endSession = async (
  app: App,
  tokens: { refreshToken: string | null; accessToken: string | null },
): Promise<void> => {
  const ids = new Set<string>()
  if (tokens.refreshToken !== null) {
    const read = readRefreshToken(app, tokens.refreshToken)
    if (read) ids.add(read.sessionId)
  }
  if (tokens.accessToken !== null) {
    const id = await sessionOfAccessToken(app, tokens.accessToken)
    if (id !== null) ids.add(id)
  }
  if (ids.size === 0) return
  await app.db.transaction().execute(async (tx) => {
    for (const id of ids) await endSessionRow(tx, id, app.clock.now())
    await announceSessionsEnded(tx)
  })
}

const sessionOfAccessToken = async (app: App, token: string): Promise<string | null> => {
  try {
    return (await readAccessToken(app, token)).sessionId
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
