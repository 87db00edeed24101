/**
 * A cache of read blobs on the disk of this host, with a limit. Nothing in it is needed: what is missing or damaged is read from the
 * store again, and a full disk only makes it smaller. Processes of one host share it.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type BlobCache = {
  /** null: not in it. Not verified. */
  get(key: string): Promise<Buffer | null>
  /** Never fails. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Never fails. */
  drop(key: string): Promise<void>
}

/** Each shelf is kept below its share by itself, so that a look at one is short. */
const SHELVES = 16
/** A blob may take this part of a shelf. */
const LARGEST = 1 / 4
/** After so much of its share was added, a shelf is looked at. */
const LOOK_AFTER = 1 / 8
/** A shelf that is too full is emptied to this part. */
const EMPTIED_TO = 0.8
/** Of an entry that is read often, the time of use is written this often. */
const USED_MS = 600_000
/** An entry is read from the store again after this time, so that what people deleted is gone from here too. */
const KEPT_MS = 30 * 86_400_000
/** A shelf to which little is added is looked at this often. */
const LOOK_MS = 86_400_000

/** Keys are names of files and begin with hex digits that are evenly spread. */
export const blobCache = (folder: string, limitBytes: number): BlobCache => {
  const shareBytes = limitBytes / SHELVES
  const added = new Map<string, { bytes: number; since: number }>()
  const shelfOf = (key: string) => join(folder, key.slice(0, 1))
  const pathOf = (key: string) => join(shelfOf(key), key)

  const noteAdded = async (shelf: string, bytes: number): Promise<void> => {
    // Never looked at: it may be full of what an earlier process left.
    const { bytes: before, since } = added.get(shelf) ?? { bytes: 0, since: 0 }
    const isDue = before + bytes >= shareBytes * LOOK_AFTER || Date.now() - since >= LOOK_MS
    if (!isDue) return void added.set(shelf, { bytes: before + bytes, since })
    added.set(shelf, { bytes: 0, since: Date.now() })
    await emptyTo(shelf, shareBytes)
  }

  return {
    get: async (key) => {
      try {
        const bytes = await readFile(pathOf(key))
        await noteUse(pathOf(key))
        return bytes
      } catch {
        return null
      }
    },
    put: async (key, bytes) => {
      if (bytes.length > shareBytes * LARGEST) return
      const part = join(shelfOf(key), `.${randomUUID()}.part`)
      try {
        await mkdir(shelfOf(key), { recursive: true, mode: 0o700 })
        await writeFile(part, bytes, { mode: 0o600, flag: 'wx' })
        await rename(part, pathOf(key))
        await noteAdded(shelfOf(key), bytes.length)
      } catch {
        await unlink(part).catch(() => {})
      }
    },
    drop: (key) => unlink(pathOf(key)).catch(() => {}),
  }
}

/** Its file says when it was used, by the time of access, and when it was written, by that of change. */
const noteUse = async (path: string): Promise<void> => {
  const { atimeMs, mtime } = await stat(path)
  const now = new Date()
  if (now.getTime() - atimeMs > USED_MS) await utimes(path, now, mtime)
}

type Entry = { path: string; size: number; usedAt: number; writtenAt: number }

/** Removes what is old, and then what was used longest ago while the shelf holds more than its share. */
const emptyTo = async (shelf: string, shareBytes: number): Promise<void> => {
  const oldest = Date.now() - KEPT_MS
  const { old = [], young = [] } = Object.groupBy(await entriesOf(shelf), ({ writtenAt }) =>
    writtenAt < oldest ? 'old' : 'young',
  )
  for (const { path } of old) await unlink(path).catch(() => {})
  let bytes = young.reduce((sum, { size }) => sum + size, 0)
  if (bytes <= shareBytes) return
  for (const { path, size } of young.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= shareBytes * EMPTIED_TO) return
    await unlink(path).catch(() => {})
    bytes -= size
  }
}

const entriesOf = async (shelf: string): Promise<Entry[]> => {
  const entries: Entry[] = []
  for (const name of await readdir(shelf)) {
    const path = join(shelf, name)
    const found = await stat(path).catch(() => null)
    if (found !== null)
      entries.push({ path, size: found.size, usedAt: found.atimeMs, writtenAt: found.mtimeMs })
  }
  return entries
}
