/** Makes a backup and keeps a record of it, by hand or each day (decision 108). */
import type { App } from '#server/app.ts'
import { noteAction, type Operator, TERMINAL } from '#server/features/operators/operators.ts'
import { DAY_MS, HOUR_MS, timeOn } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { reasonOf } from '#server/lib/ports/bound-ports.ts'
import { ASKED_BACKUP_LOCK, BACKUP_LOCK, isLocked, oneAtOnce } from '#server/storage/locks.ts'
import { forgetAskedBackup, readAskedBackup } from './ask-for-backup.ts'
import { type BackupDone, type BackupSource, backUp } from './back-up.ts'
import { keyText, keyToBackUp } from './backup-key.ts'
import { readLastBackup, readLastWhole } from './backup-queries.ts'
import { deleteOlder, insertBackup, writeDone, writeFailed } from './backups-store.ts'
import { removeOldBackups } from './keep-backups.ts'
import { openPlace } from './places/open-place.ts'
import { isOnDiskOf } from './read-backups.ts'
import { hasBackups, openSealed, type SealedPlace } from './sealed-place.ts'

export type BackingUp = BackupSource & Pick<App, 'db' | 'clock'>

type Made = BackupDone & {
  place: SealedPlace
  /** What must be printed once; null: nothing. */
  keyText: string | null
  /** The loss of one disk would take the backup, too. */
  isSameDisk: boolean
}

/** `where`: a folder or a bucket. @throws StartError, and what the place says */
export const makeBackup = async (
  app: BackingUp,
  where: string,
  operator: Operator | null,
): Promise<Made> => {
  const to = openPlace(where)
  const startedAt = app.clock.now()
  const id = newId(startedAt.getTime())
  await insertBackup(app.db, { id, place: to.title, startedAt })
  try {
    const isFirst = (await readLastWhole(app.db)) === null
    const key = keyToBackUp(app.config, await hasBackups(to))
    const place = await openSealed(to, key, true)
    const done = await backUp(app, place, startedAt)
    await writeDone(app.db, id, app.clock.now(), done)
    if (operator !== null)
      await noteAction(app.db, app.clock.now(), operator, {
        ...{ verb: 'backup', workspaceId: null, subject: place.title, detail: done.id },
      })
    const isSameDisk = isOnDiskOf(app.config.dataDir, where)
    return { ...done, place, keyText: isFirst ? keyText(app.config, key) : null, isSameDisk }
  } catch (error) {
    await writeFailed(app.db, id, app.clock.now(), reasonOf(error)).catch(() => {})
    throw error
  }
}

export const backUpByHand = (app: BackingUp, where: string): Promise<Made> =>
  makeBackup(app, where, TERMINAL)

/** After a failure. */
const AGAIN_MS = HOUR_MS
const RECORDS_MS = 400 * DAY_MS

/** Runs each minute: the backup of the day, when BACKUP_URL is set and it is time, or an operator asked for one. */
export const backUpDaily = async (app: App): Promise<void> => {
  const { place: where } = app.config.backup
  if (where === null) return
  if ((await readAskedBackup(app.db)) !== null) await makeAsked(app, where)
  else if (await isDue(app, openPlace(where).title))
    await finish(app, await makeBackup(app, where, null))
}

/** It stays asked for while another backup is under way. */
const makeAsked = async (app: App, where: string): Promise<void> => {
  await oneAtOnce(app.connection, ASKED_BACKUP_LOCK, async () => {
    // Another worker may have been faster.
    const operator = await readAskedBackup(app.db)
    if (operator === null || (await isLocked(app.db, BACKUP_LOCK))) return
    const making = makeBackup(app, where, operator)
    await finish(app, await making.finally(() => forgetAskedBackup(app.db)))
  })
}

/** Says what is to be said of it, and removes what is older than is kept. */
const finish = async (app: App, made: Made): Promise<void> => {
  if (made.keyText !== null) app.say(made.keyText)
  const removed = await removeOldBackups(app.connection, made.place)
  await deleteOlder(app.db, new Date(app.clock.now().getTime() - RECORDS_MS))
  const { id, rows, blobs, missing, writtenBytes } = made
  app.logEvent('backup-made', {
    id,
    place: made.place.title,
    rows,
    blobs,
    missing,
    writtenBytes,
    removed,
  })
}

/** The time of today has come, or that of yesterday was missed, at this place. */
const isDue = async ({ db, clock, config }: App, place: string): Promise<boolean> => {
  const now = clock.now().getTime()
  const today = timeOn(clock.now(), config.backup.at)
  const due = today <= now ? today : today - DAY_MS
  const last = await readLastBackup(db, place)
  if (last === undefined) return true
  if (last.snapshot === null) return now - last.startedAt.getTime() >= AGAIN_MS
  return last.startedAt.getTime() < due
}
