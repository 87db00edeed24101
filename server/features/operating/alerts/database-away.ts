import { diskSpaceOf } from '#server/lib/files/data-folder.ts'
import type { Condition } from './condition.ts'
import { diskTrouble } from './disk.ts'

export const databaseAway: Condition = {
  name: 'database-away',
  afterMinutes: 2,
  mend: 'Look at PostgreSQL and its log: with DATABASE_URL that of your server, else DATA_DIR/postgres. Mail that comes in is put off meanwhile and comes again; nothing needs a restart of Mailstead.',
  look: async ({ readiness, config }) => {
    if (!readiness.missing().includes('database')) return null
    // A full disk is a usual cause, and no other alert can be told now.
    const full = await diskSpaceOf(config.dataDir).then(diskTrouble, () => null)
    return ['The database is away: nobody can sign in, and no mail is taken.', full]
      .filter((sentence) => sentence !== null)
      .join(' ')
  },
}
