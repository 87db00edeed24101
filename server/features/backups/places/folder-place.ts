import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { syncFolder } from '#server/lib/files/data-folder.ts'
import type { BackupPlace } from './place.ts'

/** Backups in a folder, of a disk that is mounted there. */
export const folderPlace = (folder: string): BackupPlace => ({
  title: folder,
  read: (name) => unlessMissing(readFile(join(folder, name)), null),
  write: async (name, bytes) => {
    const path = join(folder, name)
    const part = join(dirname(path), `.${randomUUID()}.part`)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const file = await open(part, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    for (let at = dirname(path); at.length >= folder.length; at = dirname(at)) syncFolder(at)
  },
  list: async (inside) => {
    const found = readdir(join(folder, inside), { recursive: true, withFileTypes: true })
    return (await unlessMissing(found, []))
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
      .toSorted()
  },
  remove: (name) => rm(join(folder, name), { force: true }),
})

const unlessMissing = async <T, Nothing>(found: Promise<T>, nothing: Nothing) => {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing
    throw error
  }
}
