/**
 * Raw messages and files, named by the SHA-256 of their bytes. `put` answers only when the bytes and
 * their name are on disk, so a row that refers to a blob never outlives it. The database is not known here.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskFull } from '../lib/files/disk-full.ts'

export type BlobStore = {
  /** Durable when it answers. Returns the hash in hex. @throws ENOSPC when the disk has no room for it */
  put(bytes: Uint8Array): Promise<string>
  /** @throws when the blob is missing or its bytes no longer match its name. */
  get(hash: string): Promise<Buffer>
  /** Of bytes that are nobody else's. */
  delete(hash: string): Promise<void>
  /** Unless it was put again since: a row may refer to it by now. Answers whether it is gone. */
  deleteOlder(hash: string, than: Date): Promise<boolean>
  /** Hashes with the time they were written, for the sweep. */
  list(): AsyncIterable<{ hash: string; writtenAt: Date }>
  /** Removes what killed processes left half-written before this time. */
  removeLeftovers(before: Date): Promise<void>
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** `reserveBytes` of its disk are left to others: a database that cannot write ends. */
export const fileBlobs = (folder: string, reserveBytes = 0): BlobStore => {
  // One level: with two, nearly every blob would need a new folder, and each costs two more fsyncs.
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  return {
    put: async (bytes) => {
      const hash = hashOf(bytes)
      const path = pathOf(hash)
      await makeFolderDurable(dirname(path), folder)
      if (reserveBytes > 0) await checkRoomOn(folder, reserveBytes + bytes.length)
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
      return hash
    },
    get: async (hash) => {
      const bytes = await readFile(pathOf(hash))
      if (hashOf(bytes) !== hash) throw new Error(`blob ${hash} is damaged`)
      return bytes
    },
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

/** @throws ENOSPC */
const checkRoomOn = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes) throw diskFull('the rest of the disk is left to the database')
}

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
