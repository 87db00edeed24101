/** Removes old backups: of each of the last 7 days, 5 weeks and 12 months, the newest one stays. */
import type { App } from '#server/app.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { backupsAt, neededBlobs, readManifest, removeBackup } from './manifest.ts'
import { removeUnneeded } from './packs.ts'
import type { SealedPlace } from './sealed-place.ts'
import { undisturbed } from './snapshot-store.ts'

const KEPT = [
  { count: 7, of: (at: Date) => at.toISOString().slice(0, 10) },
  { count: 5, of: (at: Date) => String(Math.floor(at.getTime() / (7 * DAY_MS))) },
  { count: 12, of: (at: Date) => at.toISOString().slice(0, 7) },
]

/** `ids`: oldest first. @returns those to keep */
export const keptOf = (ids: readonly string[]): Set<string> => {
  const kept = new Set<string>()
  for (const { count, of } of KEPT) {
    const newest = new Map<string, string>()
    for (const id of ids) newest.set(of(dateOf(id)), id)
    for (const id of [...newest.values()].slice(-count)) kept.add(id)
  }
  return kept
}

/** '20261127T030000Z'. */
const dateOf = (id: string): Date =>
  new Date(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/**
 * Nobody backs up meanwhile: packs that a new backup writes are in no manifest yet. @returns how many went
 * @throws StartError when a backup is under way
 */
export const removeOldBackups = (
  connection: App['connection'],
  place: SealedPlace,
): Promise<number> => undisturbed(connection, () => removeAlone(place))

const removeAlone = async (place: SealedPlace): Promise<number> => {
  const { finished } = await backupsAt(place)
  const kept = keptOf(finished)
  const old = finished.filter((id) => !kept.has(id))
  if (old.length === 0) return 0
  for (const id of old) await removeBackup(place, id)
  const needed = new Set<string>()
  for (const id of kept)
    for (const hash of await neededBlobs(place, await readManifest(place, id))) needed.add(hash)
  await removeUnneeded(place, needed)
  return old.length
}
