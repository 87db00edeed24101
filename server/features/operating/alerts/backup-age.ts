import {
  firstTryAt,
  readLastBackup,
  readLastWhole,
} from '#server/features/backups/backup-queries.ts'
import { DAY_MS, HOUR_MS } from '#server/lib/clock.ts'
import type { Condition } from './condition.ts'
import { timeText } from './texts.ts'

/** It is made once a day, and takes a while. */
const OLDEST_MS = DAY_MS + 2 * HOUR_MS

export const backupAge: Condition = {
  name: 'backup-age',
  afterMinutes: 5,
  mend: 'npm run operator -- backup makes one at once, and says what hinders it.',
  look: async ({ config, db, clock }) => {
    if (config.backup.place === null) return null
    const [whole, last, first] = [
      await readLastWhole(db),
      await readLastBackup(db),
      await firstTryAt(db),
    ]
    const since = whole ?? first
    if (since === null || clock.now().getTime() - since.getTime() < OLDEST_MS) return null
    const why = last === undefined || last.error === '' ? '' : ` The last try said: ${last.error}`
    return whole === null
      ? `No backup was finished since the first try at ${timeText(since)}.${why}`
      : `The last whole backup began at ${timeText(whole)}.${why}`
  },
}
