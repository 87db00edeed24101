/** Opens the blob store of this installation, checks its mark, and watches it. */

import { randomUUID } from 'node:crypto'
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { BlobMissing, BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { isDiskFull, madeOnce, syncFolder } from '../../lib/files/data-folder.ts'
import { reasonOf, StartError } from '../../lib/ports/bound-ports.ts'
import type { Database, Db } from '../database.ts'
import { lockInstallation, recall, rememberOnce } from '../installation.ts'
import type { BlobStore, StoreMark } from './blobs.ts'
import { segmentBlobs } from './segment-blobs.ts'

/** Left free on a disk that fills up: for the write-ahead log of our own PostgreSQL, and for the operator's cleanup. */
const DATABASE_RESERVE_BYTES = 100_000_000

/** @throws StartError when DATA_DIR does not belong to this database */
export const openBlobs = async (
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  db: Database,
  events: BlobEvents,
  lookMs?: number,
): Promise<WatchedBlobs> => {
  const folder = join(config.dataDir, 'blobs')
  const mark = fileMark(folder)
  const id = await claimBlobs(db, { mark, blobs: segmentBlobs(folder), name: folder })
  const isOurs = () => checkMark(mark, id)
  const probe = async () => {
    await isOurs()
    await probeFolder(folder)
  }
  const reserveBytes = config.databaseUrl === null ? DATABASE_RESERVE_BYTES : 0
  return watchBlobs(
    segmentBlobs(folder, { reserveBytes, checkMark: isOurs }),
    probe,
    events,
    lookMs,
  )
}

const LOOK_MS = 5_000

export type BlobEvents = {
  onAway(error: BlobStoreAway): void
  onBack(): void
  /** A blob that a row names is lost. */
  onMissing(error: BlobMissing): void
}

/** Watches a blob store: reports once that it is unavailable, read-only or replaced, and once that it is back. */
export type WatchedBlobs = {
  blobs: BlobStore
  close(): Promise<void>
}

/** `probe` fails while the store is not ours or not writable. */
export const watchBlobs = (
  blobs: BlobStore,
  probe: () => Promise<void>,
  events: BlobEvents,
  lookMs = LOOK_MS,
): WatchedBlobs => {
  let isAway = false
  const report = (error: unknown): void => {
    if (error instanceof BlobMissing) events.onMissing(error)
    if (!(error instanceof BlobStoreAway) || isAway) return
    isAway = true
    events.onAway(error)
  }
  let isLooking = false
  const check = async (): Promise<void> => {
    // A network folder may hang for minutes.
    if (isLooking) return
    isLooking = true
    try {
      await probe()
      if (isAway) events.onBack()
      isAway = false
    } catch (error) {
      report(error)
    }
    isLooking = false
  }
  const watching = async <T>(act: Promise<T>): Promise<T> => {
    try {
      return await act
    } catch (error) {
      report(error)
      throw error
    }
  }
  const timer = setInterval(check, lookMs).unref()
  return {
    blobs: {
      ...blobs,
      put: (bytes) => watching(blobs.put(bytes)),
      get: (hash) => watching(blobs.get(hash)),
      open: (hash) => watching(blobs.open(hash)),
      range: (hash, range, sums) => watching(blobs.range(hash, range, sums)),
    },
    close: async () => {
      clearInterval(timer)
      await blobs.close()
    },
  }
}

/**
 * Checks that blob store and database belong together: both have the installation's id. A process with another folder, or with an
 * empty one because a disk is not mounted, would accept mail that other processes cannot read.
 * Marks the store at the first start; later checks its mark. Returns the mark. @throws StartError
 */
export const claimBlobs = async (
  db: Database,
  place: { mark: StoreMark; blobs: BlobStore; name: string },
): Promise<string> => {
  const id = await rememberOnce(db, 'id', randomUUID())
  const { mark, blobs, name } = place
  await db.transaction().execute(async (tx) => {
    // Of several first starts, one writes the mark and the others find it.
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

/** Some of the blobs that rows name, newest first; empty when there are none. */
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

/** For stores without a mark: rows name blobs, and none of the samples is in this store. */
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
  }
}

/** @throws BlobStoreAway when the folder does not have this mark */
export const checkMark = async (mark: StoreMark, id: string): Promise<void> => {
  const found = await mark.read()
  if (found === id) return
  throw new BlobStoreAway(found === null ? 'its mark is not there' : 'it is another one')
}

/** @throws BlobStoreAway when the folder is not writable; a full disk is handled elsewhere (decision 032) */
export const probeFolder = async (folder: string): Promise<void> => {
  const file = join(folder, `.${randomUUID()}.part`)
  try {
    await writeFile(file, '', { mode: 0o600 })
    await unlink(file)
  } catch (error) {
    if (!isDiskFull(error)) throw new BlobStoreAway(reasonOf(error), { cause: error })
  }
}
