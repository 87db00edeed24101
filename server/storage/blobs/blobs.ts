/**
 * Raw messages and files, named by the SHA-256 of their bytes. `put` answers only when the bytes and
 * their name are on disk, so a row that refers to a blob never outlives it. The database is not known here.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { checkRoomOn, isDiskFull, isRoomOn } from '../../lib/files/data-folder.ts'
import { piecesOf } from '../../lib/files/pieces.ts'
import { reasonOf } from '../../lib/ports/bound-ports.ts'

export type BlobStore = {
  /** Durable when it answers. Returns the hash in hex. @throws BlobStoreAway, ENOSPC when the disk has no room for it */
  put(bytes: Uint8Array): Promise<string>
  /** @throws BlobMissing, also when its bytes no longer match its name; BlobStoreAway */
  get(hash: string): Promise<Buffer>
  /** The same bytes in pieces, of which one is in memory. They are looked through before. @throws as `get` */
  open(hash: string): Promise<OpenedBlob>
  has(hash: string): Promise<boolean>
  /** Whether a message of usual size would be taken. */
  hasRoom(): Promise<boolean>
  /** Of bytes that are nobody else's. */
  delete(hash: string): Promise<void>
  /** Unless it was put again since: a row may refer to it by now. Answers whether it is gone. */
  deleteOlder(hash: string, than: Date): Promise<boolean>
  /** Hashes with the time they were written, for the sweep. */
  list(): AsyncIterable<{ hash: string; writtenAt: Date }>
  /** Removes what killed processes left half-written before this time. */
  removeLeftovers(before: Date): Promise<void>
}

export type OpenedBlob = {
  size: number
  /** Each piece is read when it is asked for. */
  pieces(): AsyncIterable<Buffer> | Iterable<Buffer>
}

/** A name that a store bears, so that another one, or an empty one, is not taken for it. */
export type StoreMark = {
  /** null: it has none. @throws BlobStoreAway */
  read(): Promise<string | null>
  /** Once, and durable. */
  write(mark: string): Promise<void>
}

const USUAL_BYTES = 100_000

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export type FileBlobsOptions = {
  /** Of its disk, left to others: a database that cannot write ends. */
  reserveBytes?: number
  /** Looked at before each blob is written: a folder that is not mounted is empty, and takes everything. @throws BlobStoreAway */
  checkMark?: () => Promise<void>
}

export const fileBlobs = (
  folder: string,
  { reserveBytes = 0, checkMark = async () => {} }: FileBlobsOptions = {},
): BlobStore => {
  // One level: with two, nearly every blob would need a new folder, and each costs two more fsyncs.
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  /** @throws BlobMissing, BlobStoreAway */
  const readThrough = async <T>(hash: string, read: (file: FileHandle) => Promise<Read<T>>) => {
    try {
      const { sum, found } = await withFile(pathOf(hash), read)
      if (sum === hash) return found
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw awayBecause(error)
      await checkMark()
      throw new BlobMissing(hash, 'missing')
    }
    throw new BlobMissing(hash, 'damaged')
  }
  return {
    put: async (bytes) => {
      const hash = hashOf(bytes)
      const path = pathOf(hash)
      await checkMark()
      try {
        await makeFolderDurable(dirname(path), folder)
        if (reserveBytes > 0) await checkRoomOn(folder, reserveBytes + bytes.length)
        await writeDurable(path, bytes)
      } catch (error) {
        // It may have been another folder that was known.
        known.delete(dirname(path))
        throw isDiskFull(error) ? error : awayBecause(error)
      }
      return hash
    },
    get: (hash) =>
      readThrough(hash, async (file) => {
        const bytes = Buffer.allocUnsafeSlow((await file.stat()).size)
        const sum = await sumOf(file, (at) => bytes.subarray(at, at + READ_BYTES))
        return { sum, found: bytes }
      }),
    open: (hash) =>
      readThrough(hash, async (file) => {
        const { size } = await file.stat()
        const scratch = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
        const sum = await sumOf(file, (at) => scratch.subarray(0, size - at))
        const isWhole = size <= PIECE_BYTES
        const pieces = () => (isWhole ? piecesOf(scratch, PIECE_BYTES) : piecesIn(pathOf(hash)))
        return { sum, found: { size, pieces } }
      }),
    // A folder that cannot be asked has trouble of another kind, which is told as that.
    hasRoom: () => isRoomOn(folder, reserveBytes + USUAL_BYTES).catch(() => true),
    has: (hash) =>
      stat(pathOf(hash)).then(
        () => true,
        () => false,
      ),
    delete: async (hash) => {
      await unlink(pathOf(hash)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    deleteOlder: async (hash, than) => {
      const path = pathOf(hash)
      // First out of the way, then looked at: what is put meanwhile is a file of its own.
      const aside = temporaryBeside(path)
      try {
        await rename(path, aside)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
      const isOlder = (await stat(aside)).mtime < than
      await (isOlder ? unlink(aside) : rename(aside, path))
      return isOlder
    },
    async *list() {
      for await (const { name, writtenAt } of filesIn(folder, isHash))
        yield { hash: name, writtenAt }
    },
    removeLeftovers: async (before) => {
      for await (const { path, writtenAt } of filesIn(folder, isHalfWritten))
        if (writtenAt < before) await unlink(path).catch(() => {})
    },
  }
}

type Read<T> = { sum: string; found: T }

const READ_BYTES = 1_000_000
/** Of what is passed on as it is read. */
const PIECE_BYTES = 128 * 1024

const withFile = async <T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path, 'r')
  try {
    return await read(file)
  } finally {
    await file.close()
  }
}

/** Of the whole file, read to where `roomAt` says. */
const sumOf = async (file: FileHandle, roomAt: (at: number) => Buffer): Promise<string> => {
  const sum = createHash('sha256')
  for (let at = 0, room = roomAt(0); room.length > 0; room = roomAt(at)) {
    const { bytesRead } = await file.read(room, 0, room.length, at)
    if (bytesRead === 0) break
    sum.update(room.subarray(0, bytesRead))
    at += bytesRead
  }
  return sum.digest('hex')
}

async function* piecesIn(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    for (let at = 0; ; ) {
      // Each its own: the one before may be on its way still.
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, null, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

const writeDurable = async (path: string, bytes: Uint8Array): Promise<void> => {
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

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

const awayBecause = (error: unknown): BlobStoreAway =>
  new BlobStoreAway(reasonOf(error), { cause: error })

/** In the same folder: ext4 takes twice as long to make a name durable that comes from another one. */
const temporaryBeside = (path: string): string => join(dirname(path), `.${randomUUID()}.part`)

const known = new Set<string>()

/** Makes the folder, and each parent's entry for it durable, the root's too: a rename into a lost folder is a lost blob. */
const makeFolderDurable = async (folder: string, root: string): Promise<void> => {
  if (known.has(folder)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let at = folder; at.length >= root.length; at = dirname(at)) await syncFolder(dirname(at))
  known.add(folder)
}

const syncFolder = async (folder: string): Promise<void> => {
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
      if (found?.isFile()) yield { name, path, writtenAt: found.mtime }
    }
}

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name))
    .map((entry) => entry.name)
