import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { accountWith } from '#server/lib/accounts.ts'
import { makeFolders, syncFolder } from '#server/lib/files/data-folder.ts'
import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'
import { writeDurable } from '#server/storage/blobs/blobs.ts'
import type { BackupPlace } from './place.ts'

/** Backups in a folder, of a disk that is mounted there. */
export const folderPlace = (folder: string): BackupPlace => ({
  title: folder,
  read: (name) => naming(folder, unlessMissing(readFile(join(folder, name)), null)),
  write: (name, bytes) => naming(folder, writeWhole(folder, join(folder, name), bytes)),
  list: async (inside) => {
    const found = readdir(join(folder, inside), { recursive: true, withFileTypes: true })
    return (await naming(folder, unlessMissing(found, [])))
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
      .toSorted()
  },
  remove: (name) => naming(folder, rm(join(folder, name), { force: true })),
})

const unlessMissing = async <T, Nothing>(found: Promise<T>, nothing: Nothing) => {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing
    throw error
  }
}

const writeWhole = async (folder: string, path: string, bytes: Uint8Array): Promise<void> => {
  makeFolders(dirname(path), 0o700)
  await writeDurable(path, bytes)
  for (let at = dirname(path); at.length >= folder.length; at = dirname(at)) syncFolder(at)
}

/** @throws StartError with what the system said */
const naming = async <T>(folder: string, act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    const uid = process.getuid?.() ?? -1
    const user = accountWith(uid)?.name ?? uid
    throw new StartError(
      `The backup place ${folder} cannot be used by the user ${user}: ${reasonOf(error)}.`,
    )
  }
}
