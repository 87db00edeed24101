/** The mark of a folder of blobs: a file with the installation's id (decision 038). */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { isDiskFull } from '../../lib/files/disk-full.ts'
import { madeOnce, syncFolder } from '../../lib/files/made-once.ts'
import { reasonOf } from '../../lib/start-error.ts'
import type { StoreMark } from './blobs.ts'

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
  }
}

/** @throws BlobStoreAway when the folder does not bear this mark. */
export const checkMark = async (mark: StoreMark, id: string): Promise<void> => {
  const found = await mark.read()
  if (found === id) return
  throw new BlobStoreAway(found === null ? 'its mark is not there' : 'it is another one')
}

/** @throws BlobStoreAway when nothing can be written; a full disk is another matter (decision 032). */
export const probeFolder = async (folder: string): Promise<void> => {
  const file = join(folder, `.${randomUUID()}.part`)
  try {
    await writeFile(file, '', { mode: 0o600 })
    await unlink(file)
  } catch (error) {
    if (!isDiskFull(error)) throw new BlobStoreAway(reasonOf(error), { cause: error })
  }
}
