/** Whether a backup is made each day, and not only beside what it is of. */
import { backupTrouble } from '#server/features/backups/backup-trouble.ts'
import { isOnDiskOf } from '#server/features/backups/read-backups.ts'
import { timeText } from '#server/lib/clock.ts'
import { type Check, command, good, setting, unknown, wrong } from './finding.ts'

export const checkBackups: Check = async (app) => {
  const { dataDir, backup } = app.config
  if (backup.place === null)
    return [
      wrong(
        'No backup is made: all mail is lost with this disk.',
        'Set where a backup goes each day, and keep the key that the first one prints.',
        setting('BACKUP_URL=/mnt/backup/mailstead'),
      ),
    ]
  const { wholeAt, trouble } = await backupTrouble(app)
  if (trouble !== null)
    return [
      wrong(
        trouble,
        'Make one now, and see what hinders it.',
        command('npm run operator -- backup'),
      ),
    ]
  if (wholeAt === null)
    return [
      unknown(
        `The first backup comes at ${backup.at} UTC.`,
        'Or make it now.',
        command('npm run operator -- backup'),
      ),
    ]
  if (isOnDiskOf(dataDir, backup.place))
    return [
      wrong(
        'The backups are on the same disk as DATA_DIR, and are lost with it.',
        'Take a folder of another disk, or a bucket.',
        setting('BACKUP_URL=/mnt/backup/mailstead'),
      ),
    ]
  return [good(`The last whole backup began at ${timeText(wholeAt)}.`)]
}
