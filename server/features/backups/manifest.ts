/** What one backup holds. It is written last: a backup without one was not finished. */
import { z } from 'zod'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'

export const copiedTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  /** Objects with the rows in PostgreSQL's text format, in order. */
  pieces: z.array(z.string()),
})
export type CopiedTable = z.infer<typeof copiedTable>

const manifest = z.object({
  format: z.literal(1),
  at: z.iso.datetime(),
  publicUrl: z.string(),
  /** The schema: names of the migrations that were done, in order. */
  migrations: z.array(z.string()),
  postgres: z.string(),
  tables: z.array(copiedTable),
  /** Where each sequence stands. */
  sequences: z.record(z.string(), z.number()),
  /** Objects with the SHA-256 of each blob, 32 bytes each. */
  blobs: z.object({ count: z.number(), pieces: z.array(z.string()) }),
  /** Blobs that rows name and that were lost before the backup: their SHA-256. */
  missing: z.array(z.string()),
  /** What tokens are signed and keys are encrypted with. */
  secret: z.string(),
})
export type Manifest = z.infer<typeof manifest>

export const FOLDER = 'snapshots'

/** '20261127T030000Z'. */
export const idOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')

export const folderOf = (id: string): string => `${FOLDER}/${id}`

const nameOf = (id: string): string => `${folderOf(id)}/manifest`

export const writeManifest = (place: SealedPlace, id: string, content: Manifest): Promise<number> =>
  place.write(nameOf(id), Buffer.from(JSON.stringify(content)))

/** @throws BackupDamaged */
export const readManifest = async (place: SealedPlace, id: string): Promise<Manifest> =>
  manifest.parse(JSON.parse((await place.read(nameOf(id))).toString()))

/** The finished backups, oldest first, and those that were begun and not finished. */
export const backupsAt = async (
  place: SealedPlace,
): Promise<{ finished: string[]; unfinished: string[] }> => {
  const names = await place.list(FOLDER)
  const ids = [...new Set(names.map((name) => name.split('/')[1] ?? ''))].toSorted()
  const all = new Set(names)
  return {
    finished: ids.filter((id) => all.has(nameOf(id))),
    unfinished: ids.filter((id) => !all.has(nameOf(id))),
  }
}

/** The manifest goes first: what is left of a backup is no backup. */
export const removeBackup = async (place: SealedPlace, id: string): Promise<void> => {
  await place.remove(nameOf(id))
  for (const name of await place.list(folderOf(id))) await place.remove(name)
}

const HASH_BYTES = 32

/** Those of one backup. @throws BackupDamaged */
export const neededBlobs = async (
  place: SealedPlace,
  { blobs }: Pick<Manifest, 'blobs'>,
): Promise<Set<string>> => {
  const hashes = new Set<string>()
  for (const name of blobs.pieces) {
    const bytes = await place.read(name)
    for (let at = 0; at < bytes.length; at += HASH_BYTES)
      hashes.add(bytes.toString('hex', at, at + HASH_BYTES))
  }
  if (hashes.size !== blobs.count) throw new BackupDamaged('the list of blobs', 'damaged')
  return hashes
}
