/** What a restore needs to know of a backup, whichever program made it. */
import { SECOND } from '#server/storage/migrations/records.ts'
import { type Manifest, readManifest } from './manifest.ts'
import type { SealedPlace } from './sealed-place.ts'
import { rowsOf } from './table-rows-store.ts'

/**
 * A program that does not know the second record of migrations names those of the first, and copied the second as any
 * table. @throws BackupDamaged
 */
export const readWholeManifest = async (place: SealedPlace, id: string): Promise<Manifest> => {
  const found = await readManifest(place, id)
  const record = found.tables.find(({ name }) => name === SECOND)
  if (record === undefined) return found
  const names = new Set(found.migrations)
  for await (const { name } of rowsOf(place, found, SECOND)) if (name) names.add(name)
  return {
    ...found,
    migrations: [...names].toSorted(),
    tables: found.tables.filter((table) => table !== record),
  }
}
