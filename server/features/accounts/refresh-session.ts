import type { SignedIn } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { equalBytes, hashToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { findUser } from './auth-store.ts'
import { isOfSuspended } from './holders-store.ts'
import {
  endSessionRow,
  hasEnded,
  lockSession,
  readSession,
  rotateSession,
  type Session,
} from './session-store.ts'
import {
  readAccessToken,
  readPageToken,
  readRefreshToken,
  refreshTokenFor,
  signAccessToken,
} from './session-tokens.ts'
import { signedInAs } from './start-session.ts'

/** Grace for two tabs or a lost answer: a token spent this recently still gets the current one. */
const GRACE_SECONDS = 10
/** More rotations than a client makes within the grace. */
const SPENT_KEPT = 8

export type Refreshed = { answer: SignedIn; refreshToken: string; expiresAt: Date }

/**
 * Exchanges a refresh token for its successor. A token spent longer ago than the grace was stolen from
 * one of the two sides: the whole session ends.
 * @throws REFRESH with message JWT_EXPIRED when there was a session, else NO_AUTH_TOKEN. Its data has the reason when the mailbox
 * of the holder is suspended.
 */
export const refreshSession = async (app: App, token: string | null): Promise<Refreshed> => {
  const read = token === null ? null : readRefreshToken(app, token)
  if (token === null || read === null)
    throw new AppError('REFRESH', { message: 'NO_AUTH_TOKEN', tokenType: 'REFRESH' })
  const session = await app.db
    .transaction()
    .execute((tx) => spend(app, tx, read.sessionId, read.generation, hashToken(token)))
  const user = session && (await findUser(app.db, session.userId))
  if (!session || !user) {
    const isSuspended = await isOfSuspended(app.db, read.sessionId)
    const data = isSuspended ? { reason: 'MAILBOX_SUSPENDED' } : {}
    throw new AppError('REFRESH', { message: 'JWT_EXPIRED', tokenType: 'REFRESH', data })
  }
  return {
    answer: await signedInAs(app, app.db, session.id, user),
    refreshToken: refreshTokenFor(app, session.id, session.generation),
    expiresAt: session.expiresAt,
  }
}

/** The session at its current generation; null when it has ended or ends here. */
const spend = async (
  app: App,
  tx: Db,
  sessionId: string,
  generation: number,
  tokenHash: Buffer,
): Promise<Session | null> => {
  const now = app.clock.now()
  const session = await lockSession(tx, sessionId)
  if (!session || hasEnded(session, now)) return null
  if (generation === session.generation && equalBytes(tokenHash, session.tokenHash)) {
    const next = {
      generation: generation + 1,
      tokenHash: hashToken(refreshTokenFor(app, sessionId, generation + 1)),
      spentAt: [now, ...session.spentAt].slice(0, SPENT_KEPT),
      lastUsedAt: now,
    }
    await rotateSession(tx, sessionId, next)
    return { ...session, ...next }
  }
  const spentAt = session.spentAt[session.generation - 1 - generation]
  if (spentAt && now.getTime() - spentAt.getTime() <= GRACE_SECONDS * 1000) return session
  app.log.warn(
    { sessionId, userId: session.userId },
    'a spent refresh token came back: session ended',
  )
  await endSessionRow(tx, sessionId, now)
  await announceSessionsEnded(tx)
  return null
}

/**
 * An access token to draw a page with when the browser's has run out; it stays in this process (decision 089). Nothing is spent:
 * the page renews its session itself, as it always does.
 * null: the page token is not ours, its session has ended, or was renewed since, which gave the browser another.
 */
export const accessForPage = async (app: App, pageToken: string): Promise<string | null> => {
  const read = readPageToken(app, pageToken)
  const session = read && (await readSession(app.db, read.sessionId))
  if (!session || hasEnded(session, app.clock.now())) return null
  return session.generation === read.generation ? signAccessToken(app, session) : null
}

/**
 * Ends the sessions of the refresh token and of the access token, usually the same.
 * Logging out twice or with expired tokens is not an error.
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
