/** Opens the blob store of this installation, checks its mark, and watches it. */

import { randomUUID } from 'node:crypto'
import { BlobMissing, BlobStoreAway } from '../../lib/files/blob-trouble.ts'
import { StartError } from '../../lib/ports/bound-ports.ts'
import { newSleep } from '../../lib/wait.ts'
import type { Database, Db } from '../database.ts'
import { lockInstallation, recall, remember, rememberOnce } from '../installation.ts'
import type { BlobStore, StoreMark } from './blobs.ts'
import { type BlobPlace, blobPlace, formerPlace, openStore, type PlaceConfig } from './places.ts'

/** @throws StartError when the blobs are not those of this database */
export const openBlobs = async (
  config: PlaceConfig,
  db: Database,
  events: BlobEvents,
  lookMs?: number,
): Promise<WatchedBlobs> => {
  const [place, former] = [blobPlace(config), formerPlace(config)]
  const id = await claimBlobs(db, place, former)
  const isOurs = () => checkMark(place.mark, id)
  const probe = async () => {
    await isOurs()
    await place.probe()
  }
  return watchBlobs(openStore(config, isOurs), probe, events, lookMs)
}

const LOOK_MS = 5_000
/** Between looks while it is away: a balancer leads nobody here until it is seen to be back. */
const AWAY_LOOK_MS = 1_000

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
  const sleep = newSleep({ ref: false })
  let isAway = false
  const report = (error: unknown): void => {
    if (error instanceof BlobMissing) events.onMissing(error)
    if (!(error instanceof BlobStoreAway) || isAway) return
    isAway = true
    events.onAway(error)
    sleep.end()
  }
  let isOver = false
  /** One look after the other: a network folder may hang for minutes. */
  const look = async (): Promise<void> => {
    try {
      await probe()
      if (isOver) return
      if (isAway) events.onBack()
      isAway = false
    } catch (error) {
      report(error)
    }
  }
  const keepLooking = async (): Promise<void> => {
    while (!isOver) {
      const isDue = await sleep.for(isAway ? Math.min(AWAY_LOOK_MS, lookMs) : lookMs)
      if (isDue) await look()
    }
  }
  void keepLooking()
  const watching = async <T>(act: Promise<T>): Promise<T> => {
    try {
      return await act
    } catch (error) {
      report(error)
      throw error
    }
  }
  return {
    blobs: {
      ...blobs,
      put: (bytes) => watching(blobs.put(bytes)),
      get: (hash) => watching(blobs.get(hash)),
      stored: (hash) => watching(blobs.stored(hash)),
      open: (hash) => watching(blobs.open(hash)),
      range: (hash, range, sums) => watching(blobs.range(hash, range, sums)),
    },
    close: async () => {
      isOver = true
      sleep.end()
      await blobs.close()
    },
  }
}

/**
 * Checks that blob store and database belong together: both have the installation's id. A process with another folder, or with an
 * empty one because a disk is not mounted, would accept mail that other processes cannot read.
 * Marks the store at the first start, and at the start of a move from `former`; later checks its mark. Returns the mark.
 * @throws StartError
 */
export const claimBlobs = async (
  db: Database,
  place: ClaimedPlace,
  former: ClaimedPlace | null = null,
): Promise<string> => {
  const id = await rememberOnce(db, 'id', randomUUID())
  await db.transaction().execute(async (tx) => {
    // Of several first starts, one writes the mark and the others find it.
    await lockInstallation(tx)
    const isMoving = await claimMove(tx, id, { place, former })
    const found = await readOrRefuse(place)
    refuseOther(place, found, id)
    if (found !== id) {
      if (!isMoving && (await isElsewhere(tx, id, place)))
        throw new StartError(lostText(place.name, id))
      await (found === null ? place.mark.write(id) : place.mark.replace(id))
    }
    await rememberOnce(tx, 'blobs', id)
  })
  return id
}

type ClaimedPlace = Pick<BlobPlace, 'name' | 'mark' | 'open'>

/** The mark of a place that the blobs of this installation have left: nobody writes there any more. */
export const leftMark = (id: string): string => `moved ${id}`

const refuseOther = ({ name }: ClaimedPlace, found: string | null, id: string): void => {
  if (found !== null && found !== id && found !== leftMark(id))
    throw new StartError(otherText(name))
}

const otherText = (name: string): string =>
  `${name} holds the mail of another Mailstead than this database. Please set DATA_DIR or BLOB_URL to the place that belongs to it.`

const lostText = (name: string, id: string): string =>
  `${name} is not where this database keeps its mail. Please set DATA_DIR or BLOB_URL to the right place, or mount it; to move the mail, name the place where it is with BLOB_FROM; or, when the mail is lost for good, write ${id} into ${name}/installation.`

const strangeText = (name: string, id: string): string =>
  `${name} is not where the mail is that moves: a folder of that name on another host is another one. Please do this on the host where the move began, and start others when all is moved; or, when that mail is lost for good, write ${leftMark(id)} into ${name}/installation.`

/** Set while blobs move, from the first to the second: the names of the places, of which either may have what the other lacks. */
const MOVE = 'blobs-move'

/**
 * Whether blobs begin to move here from another place. Both have a mark from then on: one without is of another host.
 * @throws StartError when one of the two places is not named
 */
const claimMove = async (
  tx: Db,
  id: string,
  { place, former }: { place: ClaimedPlace; former: ClaimedPlace | null },
): Promise<boolean> => {
  const unfinished = (await recall(tx, MOVE))?.split('\n') ?? []
  const other = unfinished.find((name) => name !== place.name)
  if (other !== undefined && other !== former?.name)
    throw new StartError(
      `Some mail is still in ${other}. Please set BLOB_FROM to it until \`npm run operator -- blob move\` has moved all of it.`,
    )
  if (former === null) return false
  if (former.name === place.name)
    throw new StartError('BLOB_FROM names the place where blobs are kept. Please leave it out.')
  const found = await readOrRefuse(former)
  refuseOther(former, found, id)
  for (const each of [former, place])
    if (unfinished.includes(each.name) && (await readOrRefuse(each)) === null)
      throw new StartError(strangeText(each.name, id))
  // Where the mail is to go later is empty, and is read from already.
  if (found !== id) return false
  await remember(tx, MOVE, `${former.name}\n${place.name}`)
  return true
}

/** All blobs are here: BLOB_FROM is needed no more. */
export const noteMoved = (db: Db): Promise<void> => remember(db, MOVE, null)

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

/** For a place without a mark: the mail is in another one, or rows name blobs and none of the samples is here. */
const isElsewhere = async (db: Db, id: string, place: ClaimedPlace): Promise<boolean> => {
  if ((await recall(db, 'blobs')) === id) return true
  const samples = await sampleBlobs(db)
  const blobs = place.open()
  for (const name of samples) if (await blobs.has(name)) return false
  return samples.length > 0
}

const readOrRefuse = async ({ mark, name }: ClaimedPlace): Promise<string | null> => {
  try {
    return await mark.read()
  } catch (error) {
    if (!(error instanceof BlobStoreAway)) throw error
    throw new StartError(`${name}, where mail is kept, cannot be read: ${error.message}.`)
  }
}

/** @throws BlobStoreAway when the place does not have this mark */
export const checkMark = async (mark: StoreMark, id: string): Promise<void> => {
  const found = await mark.read()
  if (found === id) return
  if (found === leftMark(id)) throw new BlobStoreAway('the mail has moved away from it')
  throw new BlobStoreAway(found === null ? 'its mark is not there' : 'it is another one')
}
