import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { madeOnce, syncFolder } from '../../lib/files/data-folder.ts'
import { reasonOf } from '../../lib/ports/bound-ports.ts'
import { type StoreMark, writeDurable } from './blobs.ts'

/** The file in a blob folder that contains the installation's id (decision 038). */
export const markFileOf = (folder: string): string => join(folder, 'installation')

export const fileMark = (folder: string): StoreMark => {
  const file = markFileOf(folder)
  return {
    read: async () => {
      try {
        return (await readFile(file, 'utf8')).trim()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw new BlobStoreAway(reasonOf(error), { cause: error })
      }
    },
    write: async (mark) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      madeOnce(file, () => mark)
      syncFolder(dirname(folder))
    },
    replace: (mark) => writeDurable(file, Buffer.from(mark)),
  }
}
