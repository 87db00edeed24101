/** What the log says of mails, stored for two weeks (decision 115). */
import type { App } from '#server/app.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { addToMailLog, deleteFromMailLog } from './mail-log-store.ts'

const KEPT_MS = 14 * DAY_MS

/** For a loop of each process that takes or sends mail. While the database is away, they wait. */
export const storeMailLog = async ({ db, mailEvents }: App): Promise<void> => {
  const events = mailEvents.take()
  if (events.length === 0) return
  const rows = events.map(({ at, from, to, ...event }) => ({
    ...{ id: newId(at.getTime()), at, mailFrom: from, recipient: to, ...event },
  }))
  try {
    await addToMailLog(db, rows)
  } catch (error) {
    if (error instanceof Error && isDatabaseAway(error)) mailEvents.giveBack(events)
    throw error
  }
}

/** For a job. */
export const purgeMailLog = ({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> =>
  deleteFromMailLog(db, newId(clock.now().getTime() - KEPT_MS))
