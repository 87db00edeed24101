/**
 * Whose blobs these are. The database knows the installation's id and its store of blobs bears it: a process with another
 * folder, or an empty one where a disk is not mounted, would take mail that nobody else can read.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { isDiskFull, madeOnce, syncFolder } from '../../lib/files/data-folder.ts'
import { reasonOf, StartError } from '../../lib/ports/bound-ports.ts'
import type { Database, Db } from '../database.ts'
import { lockInstallation, recall, rememberOnce } from '../installation.ts'
import type { BlobStore, StoreMark } from './blobs.ts'

/** The store, which had no mark in the first start or bears ours now. Answers the mark. @throws StartError */
export const claimBlobs = async (
  db: Database,
  place: { mark: StoreMark; blobs: BlobStore; name: string },
): Promise<string> => {
  const id = await rememberOnce(db, 'id', randomUUID())
  const { mark, blobs, name } = place
  await db.transaction().execute(async (tx) => {
    // Several first starts at once: one marks, the others find its mark.
    await lockInstallation(tx)
    const found = await readOrRefuse(mark, name)
    if (found !== null && found !== id)
      throw new StartError(
        `${name} holds the mail of another Mailstead than this database. Please set DATA_DIR to the folder that belongs to it.`,
      )
    if (found === null) {
      if ((await recall(tx, 'blobs')) === id || (await isElsewhere(tx, blobs)))
        throw new StartError(
          `${name} is not where this database keeps its mail. Please set DATA_DIR to the right folder, or mount it; or, when the mail is lost for good, write ${id} into the file ${name}/installation.`,
        )
      await mark.write(id)
    }
    await rememberOnce(tx, 'blobs', id)
  })
  return id
}

/** Some of the blobs that rows name, the newest first; empty when no row names any. */
const sampleBlobs = async (db: Db): Promise<string[]> => {
  const newest = (table: 'messages' | 'outboxMessages' | 'uploads') =>
    db.selectFrom(table).select('blob').orderBy('id', 'desc').limit(5).execute()
  const rows = [
    ...(await newest('messages')),
    ...(await newest('outboxMessages')),
    ...(await newest('uploads')),
  ]
  return rows.flatMap(({ blob }) => blob ?? [])
}

/** Before stores were marked: rows name blobs, and none of them is here. */
const isElsewhere = async (db: Db, blobs: BlobStore): Promise<boolean> => {
  const samples = await sampleBlobs(db)
  for (const hash of samples) if (await blobs.has(hash)) return false
  return samples.length > 0
}

const readOrRefuse = async (mark: StoreMark, name: string): Promise<string | null> => {
  try {
    return await mark.read()
  } catch (error) {
    if (!(error instanceof BlobStoreAway)) throw error
    throw new StartError(`${name}, where mail is kept, cannot be read: ${error.message}.`)
  }
}

/** The mark of a folder of blobs: a file with the installation's id (decision 038). */
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
