/**
 * Blobs in a backup: many in one object, each of them once ever, by its SHA-256. A pack has a list beside it, which is written after it: a
 * pack without one was not finished.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { hashOf } from '#server/storage/blobs/blobs.ts'
import { BackupDamaged, type SealedPlace } from './sealed-place.ts'

const FOLDER = 'packs'
const PACK_BYTES = 16_000_000

/** SHA-256 and size of each blob, in the order of the pack. */
const packList = z.array(z.tuple([z.string(), z.number()]))

const packName = (pack: string): string => `${FOLDER}/${pack}`
const listName = (pack: string): string => `${FOLDER}/${pack}.list`

/** Each blob that is there, with the pack that has it. `isPartial`: lists that are damaged are left out. @throws BackupDamaged without it */
export const readPackLists = async (
  place: SealedPlace,
  isPartial = false,
): Promise<Map<string, string>> => {
  const packOf = new Map<string, string>()
  for (const pack of await finishedPacks(place))
    try {
      for (const [hash] of await readList(place, pack)) packOf.set(hash, pack)
    } catch (error) {
      if (!isPartial || !(error instanceof BackupDamaged)) throw error
    }
  return packOf
}

const finishedPacks = async (place: SealedPlace): Promise<string[]> =>
  (await place.list(FOLDER))
    .filter((name) => name.endsWith('.list'))
    .map((name) => name.slice(FOLDER.length + 1, -'.list'.length))

const readList = async (place: SealedPlace, pack: string) =>
  packList.parse(JSON.parse((await place.read(listName(pack))).toString()))

export type Blob = { hash: string; bytes: Buffer }

/** The blobs of a pack, each verified. @throws BackupDamaged */
export async function* blobsIn(place: SealedPlace, pack: string): AsyncGenerator<Blob> {
  const [list, all] = [await readList(place, pack), await place.read(packName(pack))]
  let at = 0
  for (const [hash, size] of list) {
    const bytes = all.subarray(at, at + size)
    if (hashOf(bytes) !== hash) throw new BackupDamaged(packName(pack), 'damaged')
    yield { hash, bytes }
    at += size
  }
}

export type PackWriter = {
  add(blob: Blob): Promise<void>
  /** Writes what is not full yet. */
  end(): Promise<void>
  /** How much they take in the place. */
  readonly writtenBytes: number
}

export const packWriter = (place: SealedPlace): PackWriter => {
  let blobs: Blob[] = []
  let size = 0
  let writtenBytes = 0
  const end = async () => {
    if (blobs.length === 0) return
    const full = blobs
    ;[blobs, size] = [[], 0]
    const pack = randomUUID()
    const list = full.map(({ hash, bytes }) => [hash, bytes.length])
    writtenBytes += await place.write(packName(pack), Buffer.concat(full.map(({ bytes }) => bytes)))
    writtenBytes += await place.write(listName(pack), Buffer.from(JSON.stringify(list)))
  }
  return {
    add: async (blob) => {
      blobs.push(blob)
      size += blob.bytes.length
      if (size >= PACK_BYTES) await end()
    },
    end,
    get writtenBytes() {
      return writtenBytes
    },
  }
}

/** Removes packs of which no blob is needed, and what was not finished. Nobody else writes to the place. @returns how many */
export const removeUnneeded = async (
  place: SealedPlace,
  needed: ReadonlySet<string>,
): Promise<number> => {
  const names = await place.list(FOLDER)
  const finished = new Set(await finishedPacks(place))
  let removed = 0
  for (const name of names) {
    const pack = name.slice(FOLDER.length + 1).replace(/\.list$/, '')
    if (finished.has(pack)) {
      if (!name.endsWith('.list')) continue
      const list = await readList(place, pack)
      if (list.some(([hash]) => needed.has(hash))) continue
      await place.remove(name)
    }
    await place.remove(packName(pack))
    removed++
  }
  return removed
}
