/** Restores a whole installation from a backup, into an empty DATA_DIR, or an empty database and DATA_DIR (decision 108). */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '#server/app.ts'
import { noteAction, TERMINAL } from '#server/features/operators/operators.ts'
import { holdQueue } from '#server/features/outbox/queue-queries.ts'
import { madeOnce, makeDataFolder } from '#server/lib/files/data-folder.ts'
import { isHalfRestored, markHalfRestored, markRestored } from '#server/lib/files/half-restored.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { noteMoved } from '#server/storage/blobs/open-blobs.ts'
import { type BlobPlace, blobPlace } from '#server/storage/blobs/places.ts'
import type { Database } from '#server/storage/database.ts'
import { openEmptyStorage } from '#server/storage/empty-storage.ts'
import { rememberOnce } from '#server/storage/installation.ts'
import { migrate } from '#server/storage/open-storage.ts'
import { loadTables } from './load-tables-store.ts'
import { type Manifest, neededBlobs } from './manifest.ts'
import { blobsIn, readPackLists } from './packs.ts'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'
import { readWholeManifest } from './whole-manifest.ts'

export type Restored = {
  rows: number
  blobs: number
  /** Lost before the backup was made. */
  missing: number
  /** Damaged in the backup, and left out. */
  damaged: number
  /** Deliveries that waited: they may have been made since the backup, so they are held. */
  held: number
}

/** @throws StartError, BackupDamaged; the same restore can be run again */
export const restoreAll = async (
  config: App['config'],
  place: SealedPlace,
  id: string,
  { now, isPartial }: { now: Date; isPartial: boolean },
): Promise<Restored> => {
  const manifest = await readWholeManifest(place, id)
  const { dataDir } = config
  const isAgain = isHalfRestored(dataDir)
  if (!isAgain && existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new StartError(
      `DATA_DIR is ${dataDir}, which is not empty. Please choose an empty folder.`,
    )
  if (config.secret !== null && config.secret !== manifest.secret)
    throw new StartError(
      'SECRET is not the one of the backup. Please leave it out: the backup has it.',
    )
  const to = blobPlace(config)
  if (!isAgain) await refuseUsed(to)
  makeDataFolder(dataDir)
  markHalfRestored(dataDir, place.title)
  if (config.secret === null) madeOnce(join(dataDir, 'secret'), () => manifest.secret)
  const until = manifest.migrations.at(-1) ?? ''
  // A pooler would mix the sessions of migrations.
  const storage = await openEmptyStorage(
    { ...config, databasePoolUrl: null },
    { onError: () => {} },
    { until, mayEmpty: isAgain },
  )
  try {
    // Of a restore that was cut off.
    await rm(join(dataDir, 'blobs'), { recursive: true, force: true })
    const { names, damaged } = await restoreBlobs(place, manifest, to, isPartial)
    await loadTables(storage.connection, place, manifest, names)
    await migrate(storage.db)
    await to.mark.write(await rememberOnce(storage.db, 'id', randomUUID()))
    // All blobs are in one place, also when they were moving when the backup was made.
    await noteMoved(storage.db)
    const held = await finish(storage.db, `${place.title} ${id}`, now)
    markRestored(dataDir)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return { rows, blobs: names.size, missing: manifest.missing.length, damaged, held }
  } finally {
    await storage.close()
  }
}

/** The bucket of another installation would be swept; a folder of DATA_DIR is new. @throws StartError */
const refuseUsed = async ({ name, mark }: BlobPlace): Promise<void> => {
  if ((await mark.read()) !== null)
    throw new StartError(
      `${name} holds the mail of a Mailstead. Please choose another bucket, or a folder in this one.`,
    )
}

const finish = (db: Database, detail: string, now: Date): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await noteAction(tx, now, TERMINAL, {
      verb: 'restore',
      workspaceId: null,
      subject: 'all',
      detail,
    })
    return holdQueue(tx, now)
  })

type RestoredBlobs = {
  /** By the SHA-256 of each blob, its name in the new store. */
  names: Map<string, string>
  /** How many could not be read. */
  damaged: number
}

/** `isPartial`: what is damaged is left out. @throws BackupDamaged without it */
const restoreBlobs = async (
  place: SealedPlace,
  manifest: Manifest,
  to: BlobPlace,
  isPartial: boolean,
): Promise<RestoredBlobs> => {
  const [needed, packOf] = [
    await neededBlobs(place, manifest),
    await readPackLists(place, isPartial),
  ]
  const packs = new Set<string>()
  for (const hash of needed) {
    const pack = packOf.get(hash)
    if (pack !== undefined) packs.add(pack)
    else if (!isPartial) throw new BackupDamaged(`blob ${hash}`, 'missing')
  }
  const names = new Map<string, string>()
  const blobs = to.open()
  try {
    for (const pack of packs)
      try {
        await restorePack(place, pack, { blobs, needed, names })
      } catch (error) {
        if (!isPartial || !(error instanceof BackupDamaged)) throw error
      }
  } finally {
    await blobs.close()
  }
  return { names, damaged: needed.size - names.size }
}

type Store = {
  blobs: { put(bytes: Buffer): Promise<string> }
  needed: ReadonlySet<string>
  names: Map<string, string>
}

/** Stores the blobs of a pack that are needed and were in none before, all at once. @throws BackupDamaged */
export const restorePack = async (
  place: SealedPlace,
  pack: string,
  { blobs, needed, names }: Store,
): Promise<void> => {
  const put: Promise<readonly [hash: string, name: string]>[] = []
  const found = new Set<string>()
  try {
    for await (const { hash, bytes } of blobsIn(place, pack)) {
      if (!needed.has(hash) || names.has(hash) || found.has(hash)) continue
      found.add(hash)
      put.push(blobs.put(bytes).then((name) => [hash, name]))
    }
  } finally {
    for (const [hash, name] of await Promise.all(put)) names.set(hash, name)
  }
}
