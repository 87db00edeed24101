/**
 * Backs up the whole installation while it runs: one snapshot of all tables, then the blobs that it names, each once ever (decision 108).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '#server/app.ts'
import { batchesOf } from '#server/lib/batches.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import { removeKeptClusters } from '#server/storage/carry-over/kept-clusters.ts'
import {
  backupsAt,
  folderOf,
  idOf,
  type Manifest,
  removeBackup,
  writeManifest,
} from './manifest.ts'
import { type PackWriter, packWriter, readPackLists } from './packs.ts'
import type { SealedPlace } from './sealed-place.ts'
import { type Client, copyTables, undisturbed } from './snapshot-store.ts'
import { linesOf } from './table-copies-store.ts'

/** What a backup reads. */
export type BackupSource = Pick<App, 'config' | 'connection'> & {
  blobs: Pick<App['blobs'], 'stored'>
}

export type BackupDone = {
  id: string
  rows: number
  blobs: number
  /** Blobs that rows name and that were lost before. */
  missing: number
  /** What this backup added to the place. */
  writtenBytes: number
}

/** @throws StartError when another backup of this installation is under way */
export const backUp = (source: BackupSource, place: SealedPlace, at: Date): Promise<BackupDone> =>
  undisturbed(source.connection, (client) => backUpAlone(source, client, place, at))

const backUpAlone = async (
  source: BackupSource,
  client: Client,
  place: SealedPlace,
  at: Date,
): Promise<BackupDone> => {
  const { finished, unfinished } = await backupsAt(place)
  for (const each of unfinished) await removeBackup(place, each)
  const id = freeId(finished, at)
  const { tables, migrations, sequences, postgres, names, ...copied } = await copyTables(
    client,
    place,
    folderOf(id),
  )
  const blobs = await copyBlobs(source, place, names)
  let writtenBytes = copied.writtenBytes + blobs.writtenBytes
  const pieces: string[] = []
  for (let from = 0; from < blobs.hashes.length; from += HASHES_IN_PIECE) {
    const name = `${folderOf(id)}/blobs-${pieces.length}`
    const hashes = Buffer.from(blobs.hashes.slice(from, from + HASHES_IN_PIECE).join(''), 'hex')
    writtenBytes += await place.write(name, hashes)
    pieces.push(name)
  }
  const content: Manifest = {
    ...{ format: 1, at: at.toISOString(), publicUrl: source.config.publicUrl },
    ...{ migrations, postgres, tables, sequences },
    blobs: { count: blobs.hashes.length, pieces },
    missing: blobs.missing,
    secret:
      source.config.secret ?? readFileSync(join(source.config.dataDir, 'secret'), 'utf8').trim(),
  }
  writtenBytes += await writeManifest(place, id, content)
  // Decision 114.
  removeKeptClusters(source.config.dataDir)
  return {
    ...{ id, writtenBytes, blobs: blobs.hashes.length, missing: blobs.missing.length },
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
  }
}

/** Of two backups in one second, the second one is named by the next. */
const freeId = (taken: readonly string[], at: Date): string =>
  taken.includes(idOf(at)) ? freeId(taken, new Date(at.getTime() + 1_000)) : idOf(at)

const HASHES_IN_PIECE = 250_000

const READ_AT_ONCE = 16

type CopiedBlobs = { hashes: string[]; missing: string[]; writtenBytes: number }

/** `names`: a line each. */
const copyBlobs = async (
  source: BackupSource,
  place: SealedPlace,
  names: Buffer,
): Promise<CopiedBlobs> => {
  const packed = await readPackLists(place)
  const packs = packWriter(place)
  const copied = new Set<string>()
  const missing = new Set<string>()
  const isNew = (name: string): boolean => {
    const hash = hashIn(name)
    if (packed.has(hash)) copied.add(hash)
    return !copied.has(hash)
  }
  // Asked batch by batch, since what one has copied is new no more.
  const newNames = linesOf(names).filter(isNew)
  for (const some of batchesOf(newNames, READ_AT_ONCE))
    await copySome(source, packs, some, { copied, missing })
  await packs.end()
  for (const hash of copied) missing.delete(hash)
  return { hashes: [...copied], missing: [...missing], writtenBytes: packs.writtenBytes }
}

const copySome = async (
  { blobs }: BackupSource,
  packs: PackWriter,
  names: readonly string[],
  { copied, missing }: { copied: Set<string>; missing: Set<string> },
): Promise<void> => {
  const read = await Promise.all(
    names.map(async (name) => ({ hash: hashIn(name), bytes: await bytesOf(blobs, name) })),
  )
  for (const { hash, bytes } of read) {
    if (bytes === null) missing.add(hash)
    else if (!copied.has(hash)) {
      copied.add(hash)
      await packs.add({ hash, bytes })
    }
  }
}

/** null: lost, or damaged on the disk. */
const bytesOf = async (blobs: BackupSource['blobs'], name: string): Promise<Buffer | null> => {
  try {
    return await blobs.stored(name)
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}
