/** With BACKUP_URL, a start that changes the schema of an older version makes a backup first (decision 108). */
import type { App } from '#server/app.ts'
import { HOUR_MS } from '#server/lib/clock.ts'
import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'
import { openStore } from '#server/storage/blobs/places.ts'
import { backUp } from './back-up.ts'
import { keyText, keyToBackUp } from './backup-key.ts'
import { readLastWhole } from './backup-queries.ts'
import { openPlace } from './places/open-place.ts'
import { hasBackups, openSealed } from './sealed-place.ts'

/** Younger than this, the last backup is enough: who made it just now wants a short stop. */
const FRESH_MS = HOUR_MS

type OldApp = Pick<App, 'config' | 'db' | 'connection' | 'clock' | 'say'>

/** @throws StartError when it fails: the schema stays as it was */
export const backUpBeforeUpdate = async (old: OldApp): Promise<void> => {
  const { config, connection, clock, say } = old
  if (config.backup.place === null || (await isFresh(old))) return
  say('The database is of an older version. A backup is made before it is updated ...')
  const blobs = openStore(config)
  try {
    const to = openPlace(config.backup.place)
    const isFirst = !(await hasBackups(to))
    const key = keyToBackUp(config, !isFirst)
    const place = await openSealed(to, key, true)
    const { id } = await backUp({ config, connection, blobs }, place, clock.now())
    say(`Backup ${id} is at ${place.title}.`)
    const text = isFirst ? keyText(config, key) : null
    if (text !== null) say(text)
  } catch (error) {
    throw new StartError(
      `The backup before the update failed: ${reasonOf(error)} Please mend that, or start once without BACKUP_URL.`,
    )
  } finally {
    await blobs.close()
  }
}

const isFresh = async ({ db, clock }: OldApp): Promise<boolean> => {
  // Versions before 0069 kept no record of backups.
  const last = await readLastWhole(db).catch(() => null)
  return last !== null && clock.now().getTime() - last.getTime() < FRESH_MS
}
