/** Whether the backups of each day are made: for alerts, and for who asks. */
import type { App } from '#server/app.ts'
import { DAY_MS, HOUR_MS } from '#server/lib/clock.ts'
import { firstTryAt, readLastBackup, readLastWhole } from './backup-queries.ts'

/** One is made each day, and takes a while. */
const OLDEST_MS = DAY_MS + 2 * HOUR_MS

/** `trouble`: a sentence; null where it is as it should be, or too early to say. */
export const backupTrouble = async ({
  db,
  clock,
}: Pick<App, 'db' | 'clock'>): Promise<{ wholeAt: Date | null; trouble: string | null }> => {
  const [wholeAt, last, firstAt] = [
    await readLastWhole(db),
    await readLastBackup(db),
    await firstTryAt(db),
  ]
  const since = wholeAt ?? firstAt
  if (since === null || clock.now().getTime() - since.getTime() < OLDEST_MS)
    return { wholeAt, trouble: null }
  const why = last === undefined || last.error === '' ? '' : ` The last try said: ${last.error}`
  const at = `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const trouble =
    wholeAt === null
      ? `No backup was finished since the first try at ${at}.${why}`
      : `The last whole backup began at ${at}.${why}`
  return { wholeAt, trouble }
}
