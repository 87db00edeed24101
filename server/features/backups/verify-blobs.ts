/** Reads every stored message and file and compares it with its hash, as a backup would, and tells whose are lost or damaged. */
import type { App } from '#server/app.ts'
import { rowsNaming, type StruckBlob } from '#server/features/messages/blobs/blob-queries.ts'
import { batchesOf } from '#server/lib/batches.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { allBlobNames } from './snapshot-store.ts'
import { linesOf } from './table-copies-store.ts'

type Source = Pick<App, 'db' | 'connection'> & { blobs: Pick<App['blobs'], 'stored'> }

export type Struck = StruckBlob & { how: 'missing' | 'damaged' }
/** `read`: how many blobs. */
export type VerifiedBlobs = { read: number; struck: Struck[] }

const READ_AT_ONCE = 16

/** Nothing is swept away meanwhile. */
export const verifyBlobs = (source: Source): Promise<VerifiedBlobs> =>
  allBlobNames(source.connection, async (names) => {
    const faults = new Map<string, Struck['how']>()
    let read = 0
    for (const some of batchesOf(linesOf(names), READ_AT_ONCE)) {
      await Promise.all(some.map((name) => readOne(source, name, faults)))
      read += some.length
    }
    return { read, struck: await struckBy(source, faults) }
  })

const readOne = async (
  { blobs }: Source,
  name: string,
  faults: Map<string, Struck['how']>,
): Promise<void> => {
  try {
    await blobs.stored(name)
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error
    faults.set(name, error.how)
  }
}

const ASKED_AT_ONCE = 500

/** What was deleted meanwhile is named by no row. */
const struckBy = async (
  { db }: Source,
  faults: ReadonlyMap<string, Struck['how']>,
): Promise<Struck[]> => {
  const names = [...faults.keys()]
  const struck: Struck[] = []
  for (let from = 0; from < names.length; from += ASKED_AT_ONCE)
    for (const row of await rowsNaming(db, names.slice(from, from + ASKED_AT_ONCE)))
      struck.push({ ...row, how: faults.get(row.blob) ?? 'damaged' })
  return struck
}
