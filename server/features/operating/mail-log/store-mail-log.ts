/** For a loop of each process that takes or sends mail: stores what its log said of mails, for two weeks (decision 115). */
import type { App } from '#server/app.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { addToMailLog, deleteFromMailLog } from './mail-log-store.ts'

const KEPT_MS = 14 * DAY_MS

export const storeMailLog = async ({ db, clock, mailEvents }: App): Promise<void> => {
  const rows = mailEvents.take().map(({ at, from, to, ...event }) => ({
    ...{ id: newId(at.getTime()), at, mailFrom: from, recipient: to, ...event },
  }))
  if (rows.length === 0) return
  await addToMailLog(db, rows)
  await deleteFromMailLog(db, newId(clock.now().getTime() - KEPT_MS))
}
