/**
 * The files of archives: beside the blobs in DATA_DIR, which all processes share, or in the bucket of BLOB_URL. They are written on the
 * disk of this process first. They are in no backup.
 */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '#server/app.ts'
import { diskSpaceOf } from '#server/lib/files/data-folder.ts'
import { syncFolder } from '#server/storage/blobs/blobs.ts'
import { piecesIn } from '#server/storage/blobs/file-parts.ts'
import { inBucketBefore, keepInBucket, openInBucket, removeFromBucket } from './archive-bucket.ts'

type Place = Pick<App['config'], 'dataDir' | 'blobs'>

const folderOf = ({ dataDir }: Place): string => join(dataDir, 'exports')
const pathOf = (place: Place, id: string): string => join(folderOf(place), `${id}.zip`)

/** Where it is written; `finishFile` gives it its name. What killed tries left goes first: it takes the room that this try needs. */
export const partOf = async (place: Place, id: string, tries: number): Promise<string> => {
  const folder = folderOf(place)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${id}.`) && isPart(name))
  for (const name of left) await rm(join(folder, name), { force: true })
  return join(folder, `${id}.zip.${tries}.part`)
}

/** Of a try that runs, or that was killed. */
export const isPart = (path: string): boolean => path.endsWith('.part')

/**
 * The file has its name for good when it resolves, also when the machine loses its power. `onPart` is called now and then while it
 * goes to a bucket. @returns its size
 */
export const finishFile = async (
  place: Place,
  { id, part }: { id: string; part: string },
  onPart: () => Promise<void>,
): Promise<number> => {
  if (place.blobs.url !== null) {
    const size = await keepInBucket(place.blobs.url, { id, path: part }, onPart)
    await rm(part)
    return size
  }
  await rename(part, pathOf(place, id))
  // The folder may be new, too.
  for (const folder of [folderOf(place), place.dataDir]) await syncFolder(folder)
  return (await stat(pathOf(place, id))).size
}

/** null: it is not there. Nothing stays open when the pieces are not read. */
export const openFile = async (place: Place, id: string) => {
  const there = place.blobs.url === null ? null : await openInBucket(place.blobs.url, id)
  if (there !== null) return there
  // Also what was made before the blobs moved to a bucket.
  const size = await stat(pathOf(place, id)).then(
    (found) => found.size,
    () => null,
  )
  return size === null ? null : { size, pieces: () => piecesIn(pathOf(place, id)) }
}

/** What cannot be removed now goes with `filesBefore`. */
export const removeFile = (place: Place, id: string): Promise<void> =>
  removing(place, id).catch(() => {})

const removing = async (place: Place, id: string): Promise<void> => {
  await rm(pathOf(place, id), { force: true })
  if (place.blobs.url !== null) await removeFromBucket(place.blobs.url, id)
}

/** Ids of archives in a bucket of which a part was written before this time. */
export const archivesBefore = ({ blobs: { url } }: Place, before: Date): Promise<string[]> =>
  url === null ? Promise.resolve([]) : inBucketBefore(url, before)

/** Ids of the files on this disk, finished or not, that were last written before this time, with their names. */
export const filesBefore = async (
  place: Place,
  before: Date,
): Promise<{ id: string; path: string }[]> => {
  const names = await readdir(folderOf(place)).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folderOf(place), name)
      const file = await stat(path).catch(() => null)
      const [id = ''] = name.split('.')
      return file !== null && file.mtime < before ? { id, path } : []
    }),
  )
  return found.flat()
}

/** What is left to mail and to the database. */
export const RESERVE_BYTES = 1_000_000_000

export const roomFor = async ({ dataDir }: Place): Promise<number> =>
  (await diskSpaceOf(dataDir)).freeBytes - RESERVE_BYTES
