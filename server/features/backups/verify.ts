/** Reads a whole backup and compares it with what its manifest says, as a restore would, without one. */
import { countLines } from '#server/storage/copied-tables.ts'
import { type Manifest, neededBlobs, readManifest } from './manifest.ts'
import { blobsIn, readPackLists } from './packs.ts'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'

export type Verified = { manifest: Manifest; faults: string[] }

/** Goes on after a fault, so that all are found. @throws BackupDamaged when the manifest itself is */
export const verifyBackup = async (place: SealedPlace, id: string): Promise<Verified> => {
  const manifest = await readManifest(place, id)
  const faults: string[] = []
  const noting = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof BackupDamaged)) throw error
      faults.push(error.message)
      return undefined
    }
  }
  for (const { name, pieces, rows } of manifest.tables) {
    let found = 0
    for (const piece of pieces)
      found += countLines((await noting(() => place.read(piece))) ?? NOTHING)
    if (found !== rows) faults.push(`${name} has ${found} of ${rows} rows`)
  }
  const needed = await noting(() => neededBlobs(place, manifest))
  const packOf = await noting(() => readPackLists(place))
  if (needed === undefined || packOf === undefined) return { manifest, faults }
  const packs = new Set([...needed].flatMap((hash) => packOf.get(hash) ?? []))
  const found = new Set<string>()
  for (const pack of packs)
    await noting(async () => {
      for await (const { hash } of blobsIn(place, pack)) found.add(hash)
    })
  const lost = [...needed].filter((hash) => !found.has(hash)).length
  if (lost > 0) faults.push(`${lost} of ${needed.size} blobs cannot be read`)
  return { manifest, faults }
}

const NOTHING = Buffer.alloc(0)
