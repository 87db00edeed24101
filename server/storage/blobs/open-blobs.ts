/** The blobs of this installation, marked as its own and watched. */
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Database } from '../database.ts'
import { fileBlobs } from './blobs.ts'
import { checkMark, claimBlobs, fileMark, probeFolder } from './own-blobs.ts'
import { type BlobEvents, type WatchedBlobs, watchBlobs } from './watched-blobs.ts'

/** Of a disk that fills, for the log that our own PostgreSQL writes before all else, and for whoever tidies up. */
const DATABASE_RESERVE_BYTES = 100_000_000

/** @throws StartError when DATA_DIR is not the folder of this database. */
export const openBlobs = async (
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  db: Database,
  events: BlobEvents,
  lookMs?: number,
): Promise<WatchedBlobs> => {
  const folder = join(config.dataDir, 'blobs')
  const mark = fileMark(folder)
  const id = await claimBlobs(db, { mark, blobs: fileBlobs(folder), name: folder })
  const isOurs = () => checkMark(mark, id)
  const probe = async () => {
    await isOurs()
    await probeFolder(folder)
  }
  const reserveBytes = config.databaseUrl === null ? DATABASE_RESERVE_BYTES : 0
  return watchBlobs(fileBlobs(folder, { reserveBytes, checkMark: isOurs }), probe, events, lookMs)
}
