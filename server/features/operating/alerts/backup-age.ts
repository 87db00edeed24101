import { backupTrouble } from '#server/features/backups/backup-trouble.ts'
import type { Condition } from './condition.ts'

export const backupAge: Condition = {
  name: 'backup-age',
  afterMinutes: 5,
  mend: 'npm run operator -- backup makes one at once, and says what hinders it.',
  look: async (app) =>
    app.config.backup.place === null ? null : (await backupTrouble(app)).trouble,
}
