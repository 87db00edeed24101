/**
 * Raw messages and files. `put` returns when the bytes and their name are on disk, so a row never names a missing blob. This
 * module does not know the database. `fileBlobs` keeps each as a file, named by the SHA-256 of its bytes.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { checkRoomOn, isDiskFull, isRoomOn } from '../../lib/files/data-folder.ts'
import { reasonOf } from '../../lib/ports/bound-ports.ts'
import {
  type FilePart,
  type OpenedBlob,
  openPart,
  type Range,
  type Read,
  readPart,
  summedRange,
} from './file-parts.ts'
import { hashIn } from './segment-file.ts'

export type BlobStore = {
  /** Durable when it resolves. Returns the blob's name, which ends with its SHA-256 in hex. @throws BlobStoreAway, ENOSPC when the disk has no room */
  put(bytes: Uint8Array): Promise<string>
  /** @throws BlobMissing, also when the bytes do not match the name; BlobStoreAway */
  get(name: string): Promise<Buffer>
  /** As `get`, and never from a cache. */
  stored(name: string): Promise<Buffer>
  /** The same bytes in pieces, one at a time in memory. All are verified first. @throws like `get` */
  open(name: string): Promise<OpenedBlob>
  /**
   * The bytes from `start` up to `end`, without reading all of a large blob: `sums` are those of its pieces (`piece-sums.ts`).
   * @throws like `get`
   */
  range(name: string, range: Range, sums: readonly number[]): Promise<Buffer>
  has(name: string): Promise<boolean>
  /** Whether there is room for a message of usual size. */
  hasRoom(): Promise<boolean>
  /** Only for bytes that no other row names. */
  delete(name: string): Promise<void>
  /** Deletes the blob unless it was put again since `than`: a row may name it. Returns whether it was deleted. */
  deleteOlder(name: string, than: Date): Promise<boolean>
  /** The blobs that are files, for the sweep. */
  list(): AsyncIterable<{ hash: string; size: number; writtenAt: Date }>
  /** Removes partial files that killed processes left before this time. */
  removeLeftovers(before: Date): Promise<void>
  /** Files that hold many blobs, whose names begin with `{segment}.`; `writtenAt` is the time of the last blob. */
  segments(): AsyncIterable<{ segment: string; size: number; writtenAt: Date }>
  /** null: it is not there. */
  segmentOf(segment: string): Promise<{ size: number; writtenAt: Date } | null>
  /** Only when no row names a blob in it. */
  removeSegment(segment: string): Promise<void>
  close(): Promise<void>
}

/** Without segments. */
export type FileBlobs = Omit<BlobStore, 'segments' | 'segmentOf' | 'removeSegment' | 'close'>

/** A mark in the store that identifies its installation, so that another or an empty store is not used by mistake. */
export type StoreMark = {
  /** null: no mark. @throws BlobStoreAway */
  read(): Promise<string | null>
  /** Written once, and durable. */
  write(mark: string): Promise<void>
  /** In place of the one that is there. */
  replace(mark: string): Promise<void>
}

const USUAL_BYTES = 100_000

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export type FileBlobsOptions = {
  /** Free bytes on the disk that are left for the database: PostgreSQL stops when it cannot write. */
  reserveBytes?: number
  /** Called before each blob is written: an unmounted folder is empty and would accept everything. @throws BlobStoreAway */
  checkMark?: () => Promise<void>
}

export const fileBlobs = (
  folder: string,
  { reserveBytes = 0, checkMark = async () => {} }: FileBlobsOptions = {},
): FileBlobs => {
  // One level: with two, almost every blob would need a new folder, and each costs two more fsyncs.
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  /** Folders that are made durable. */
  const known = new Set<string>()
  const readThrough = checkedReads(pathOf, checkMark)
  const get = (hash: string) =>
    readThrough(hash, async (file) => readPart(file, await wholeOf(file)))
  return {
    put: async (bytes) => {
      const hash = hashOf(bytes)
      const path = pathOf(hash)
      await checkMark()
      try {
        await makeFolderDurable(dirname(path), folder, known)
        if (reserveBytes > 0) await checkRoomOn(folder, reserveBytes + bytes.length)
        await writeDurable(path, bytes)
      } catch (error) {
        // The cached folder may have been replaced.
        known.delete(dirname(path))
        throw isDiskFull(error) ? error : awayBecause(error)
      }
      return hash
    },
    ...{ get, stored: get },
    open: (hash) =>
      readThrough(hash, async (file) => openPart(file, pathOf(hash), await wholeOf(file))),
    range: (hash, range, sums) => readThrough(hash, rangeIn(hash, 0, range, sums)),
    // A folder that cannot be read is another fault, which is reported elsewhere.
    hasRoom: () => isRoomOn(folder, reserveBytes + USUAL_BYTES).catch(() => true),
    has: (hash) =>
      stat(pathOf(hash)).then(
        () => true,
        () => false,
      ),
    delete: (hash) => deleteIfThere(pathOf(hash)),
    deleteOlder: (hash, than) => deleteOlder(pathOf(hash), than),
    async *list() {
      for await (const { name, size, writtenAt } of filesIn(folder, isHash))
        yield { hash: name, size, writtenAt }
    },
    removeLeftovers: async (before) => {
      for await (const { path, writtenAt } of filesIn(folder, isHalfWritten))
        if (writtenAt < before) await unlink(path).catch(() => {})
    },
  }
}

const wholeOf = async (file: FileHandle): Promise<FilePart> => {
  const { size } = await file.stat()
  return { start: 0, size }
}

/** Of `name`, which begins at `from` in its file. */
export const rangeIn =
  (name: string, from: number, range: Range, sums: readonly number[]) =>
  async (file: FileHandle): Promise<Read<Buffer>> => {
    const found = await summedRange(file, from, range, sums)
    return found === null ? { sum: 'other', found: NOTHING } : { sum: hashIn(name), found }
  }

const NOTHING = Buffer.alloc(0)

type PathOf = (name: string) => string

/** @throws BlobMissing, BlobStoreAway */
export const checkedReads =
  (pathOf: PathOf, checkMark: () => Promise<void>) =>
  async <T>(name: string, read: (file: FileHandle) => Promise<Read<T>>) => {
    try {
      const { sum, found } = await withFile(pathOf(name), read)
      if (sum === hashIn(name)) return found
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw awayBecause(error)
      await checkMark()
      throw new BlobMissing(name, 'missing')
    }
    throw new BlobMissing(name, 'damaged')
  }

export const deleteIfThere = async (path: string): Promise<void> => {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

const deleteOlder = async (path: string, than: Date): Promise<boolean> => {
  const aside = temporaryBeside(path)
  try {
    // Asks first, so that a kill between two renames hides no blob that stays.
    if ((await stat(path)).mtime >= than) return false
    // Renames, and asks again: a blob that is put meanwhile is a new file.
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  const isOlder = (await stat(aside)).mtime < than
  await (isOlder ? unlink(aside) : rename(aside, path))
  return isOlder
}

const withFile = async <T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path, 'r')
  try {
    return await read(file)
  } finally {
    await file.close()
  }
}

/** Whole or not at all, also when the machine loses its power. The folder is there. */
export const writeDurable = async (path: string, bytes: Uint8Array): Promise<void> => {
  const temporary = temporaryBeside(path)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}

export const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

export const awayBecause = (error: unknown): BlobStoreAway =>
  new BlobStoreAway(reasonOf(error), { cause: error })

/** In the same folder: on ext4 a rename from another folder takes twice as long to become durable. */
const temporaryBeside = (path: string): string => join(dirname(path), `.${randomUUID()}.part`)

/** Makes the folder and the entries of all its parents durable: a file in a lost folder is lost. */
export const makeFolderDurable = async (
  folder: string,
  root: string,
  known: Set<string>,
): Promise<void> => {
  if (known.has(folder)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let at = folder; at.length >= root.length; at = dirname(at)) await syncFolder(dirname(at))
  known.add(folder)
}

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)
const isHalfWritten = (name: string): boolean => /^\.[0-9a-f-]+\.part$/.test(name)

async function* filesIn(folder: string, isWanted: (name: string) => boolean) {
  for (const first of await foldersIn(folder))
    for (const name of (await readdir(join(folder, first))).filter(isWanted)) {
      const path = join(folder, first, name)
      const found = await stat(path).catch(() => null)
      if (found?.isFile()) yield { name, path, size: found.size, writtenAt: found.mtime }
    }
}

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name))
    .map((entry) => entry.name)
