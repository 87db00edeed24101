/** Whether the backups of each day are made: for alerts, and for who asks. */
import type { App } from '#server/app.ts'
import { DAY_MS, HOUR_MS, timeText } from '#server/lib/clock.ts'
import { firstTryAt, readLastBackup, readLastWhole } from './backup-queries.ts'
import { openPlace } from './places/open-place.ts'

/** One is made each day, and takes a while. */
const OLDEST_MS = DAY_MS + 2 * HOUR_MS

type Trouble = {
  /** When the last whole backup there began. */
  wholeAt: Date | null
  /** A sentence; null where it is as it should be, or too early to say. */
  trouble: string | null
}

/** Of BACKUP_URL; backups to other places do not count. */
export const backupTrouble = async ({
  db,
  clock,
  config,
}: Pick<App, 'db' | 'clock' | 'config'>): Promise<Trouble> => {
  if (config.backup.place === null) return { wholeAt: null, trouble: null }
  const place = openPlace(config.backup.place).title
  const [wholeAt, last] = [await readLastWhole(db, place), await readLastBackup(db, place)]
  if (last !== undefined && last.error !== '')
    return { wholeAt, trouble: `The last try to back up failed: ${last.error}` }
  const since = wholeAt ?? (await firstTryAt(db, place))
  if (since === null || clock.now().getTime() - since.getTime() < OLDEST_MS)
    return { wholeAt, trouble: null }
  const at = timeText(since)
  const trouble =
    wholeAt === null
      ? `No backup was finished since the first try at ${at}.`
      : `The last whole backup began at ${at}.`
  return { wholeAt, trouble }
}
