/** Where a person is signed in, and how they end it. An ended session is out at its next request; its event stream ends at once. */
import type { Session } from '#contract/account/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { browserName } from '../notices/browser-name.ts'
import { endOtherSessionsOf, endOwnSession, findSessionsOf, unusedSince } from '../session-store.ts'
import type { Who } from '../who.ts'

/** The last used first. */
export const listSessions = async (
  app: Pick<App, 'db' | 'clock'>,
  { userId, sessionId }: Pick<Who, 'userId' | 'sessionId'>,
): Promise<Session[]> => {
  const now = app.clock.now()
  const rows = await findSessionsOf(app.db, userId, now, unusedSince(now))
  return rows.map(({ id, userAgent, createdAt, lastUsedAt, lastIp, ip }) => ({
    ...{ _id: id, browser: browserName(userAgent), ip: lastIp ?? ip },
    createdAt: createdAt.toISOString(),
    lastUsedAt: (lastUsedAt ?? createdAt).toISOString(),
    isThis: id === sessionId,
  }))
}

/** @throws NOT_EXISTS, also for that of another person, or one that has ended */
export const endSession = (app: App, { userId }: Who, id: string): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    if (!isId(id) || !(await endOwnSession(tx, userId, id, app.clock.now())))
      throw new AppError('NOT_EXISTS')
    await announceSessionsEnded(tx)
  })

/** @returns how many */
export const endOtherSessions = (app: App, who: Who): Promise<number> =>
  app.db.transaction().execute((tx) => endOthersIn(app, tx, who))

/** In the transaction of what ends them. */
export const endOthersIn = async (
  app: Pick<App, 'clock'>,
  tx: Db,
  { userId, sessionId }: Pick<Who, 'userId' | 'sessionId'>,
): Promise<number> => {
  const ended = await endOtherSessionsOf(tx, userId, sessionId, app.clock.now())
  await announceSessionsEnded(tx)
  return ended
}
