/** What an operator asks for in the browser, and a worker does: it has the key and reaches the place. */
import { AppError } from '#contract/errors.ts'
import type { BackupsPage, MadeBackup } from '#contract/operator/backups.ts'
import type { App } from '#server/app.ts'
import type { Operator } from '#server/features/operators/operators.ts'
import { DAY_MS, timeOn } from '#server/lib/clock.ts'
import { reasonOf } from '#server/lib/ports/bound-ports.ts'
import type { Db } from '#server/storage/database.ts'
import { recall, remember } from '#server/storage/installation.ts'
import { oneAtOnce, VERIFY_LOCK } from '#server/storage/locks.ts'
import { readLastBackups } from './backup-queries.ts'
import { openPlace } from './places/open-place.ts'
import { listBackups, verifyAt } from './read-backups.ts'

type World = Pick<App, 'db' | 'clock' | 'config'>

/** Keys of the installation. */
const keys = {
  backup: 'backup.asked',
  verify: 'backup.verify-asked',
  verification: 'backup.verification',
}
const MOST_MADE = 30

/** @throws STATUS_NOT_ALLOWED while BACKUP_URL is not set */
export const askForBackup = async (
  app: World,
  operator: Operator,
  what: 'backup' | 'verify',
): Promise<BackupsPage> => {
  if (app.config.backup.place === null)
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: 'Please set BACKUP_URL first: it says where backups go',
    })
  await remember(app.db, keys[what], operator)
  if (what === 'verify') await noteVerification(app, null)
  return showBackups(app)
}

/** Who asked for a backup; null: nobody. */
export const readAskedBackup = (db: Db): Promise<Operator | null> => recall(db, keys.backup)

/** When it was tried to the end: what a killed worker leaves is for the next one. */
export const forgetAskedBackup = (db: Db): Promise<void> => remember(db, keys.backup, null)

/**
 * Runs each minute: reads the newest backup as a whole, when an operator asked for it. It stays asked for until there is a result: what
 * a killed worker leaves is for the next one.
 */
export const verifyWhenAsked = async (app: App): Promise<void> => {
  const { place } = app.config.backup
  const isAsked = async () => (await recall(app.db, keys.verify)) !== null
  if (place === null || !(await isAsked())) return
  await oneAtOnce(app.connection, VERIFY_LOCK, async () => {
    // Another worker may have been faster.
    if (!(await isAsked())) return
    await noteVerification(app, await verification(app, place))
    await remember(app.db, keys.verify, null)
  })
}

type Verification = { isWhole: boolean; says: string }

const verification = async (app: App, place: string): Promise<Verification> => {
  try {
    return { isWhole: true, says: await verifyAt(app, place, undefined) }
  } catch (error) {
    return { isWhole: false, says: reasonOf(error) }
  }
}

/** null: it was asked for. */
const noteVerification = async (
  { db, clock }: Pick<App, 'db' | 'clock'>,
  result: Verification | null,
): Promise<void> => {
  const now = clock.now().toISOString()
  const before = await readVerification(db)
  const noted: BackupsPage['verification'] = result
    ? { askedAt: before?.askedAt ?? now, endedAt: now, ...result }
    : { askedAt: now, endedAt: null, isWhole: false, says: '' }
  await remember(db, keys.verification, JSON.stringify(noted))
}

const readVerification = async (db: Db): Promise<BackupsPage['verification']> => {
  const kept = await recall(db, keys.verification)
  return kept === null ? null : JSON.parse(kept)
}

export const showBackups = async ({ db, clock, config }: World): Promise<BackupsPage> => {
  const { place: where, at } = config.backup
  const place = where === null ? null : openPlace(where).title
  const made = (await readLastBackups(db, MOST_MADE)).map(
    ({ id, startedAt, endedAt, ...row }): MadeBackup => ({
      _id: id,
      ...row,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    }),
  )
  return {
    ...{ place, made, isAsked: (await recall(db, keys.backup)) !== null },
    nextAt: place === null ? null : nextTime(at, clock.now()).toISOString(),
    lastWhole: made.find((each) => each.snapshot !== null && each.place === place) ?? null,
    verification: await readVerification(db),
  }
}

const nextTime = (at: string, now: Date): Date => {
  const today = timeOn(now, at)
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

type Kept = {
  items: { id: string; at: string; rows: number; blobs: number; missing: number }[]
  trouble: string
}

/** A place that cannot be read is no fault of the program: it says why. */
export const listKept = async (app: World): Promise<Kept> => {
  const { place } = app.config.backup
  if (place === null) return { items: [], trouble: '' }
  try {
    const items = (await listBackups(app, place)).map(({ at, postgres: _, ...each }) => ({
      ...each,
      at: at.toISOString(),
    }))
    return { items, trouble: '' }
  } catch (error) {
    return { items: [], trouble: reasonOf(error) }
  }
}
