import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { SMALL_BYTES } from '#server/storage/blobs/segment-blobs.ts'
import { isSegment, placeOf } from '#server/storage/blobs/segment-file.ts'
import { oneAtOnce, SWEEP_LOCK } from '#server/storage/locks.ts'
import { blobsInSegment, blobsInUse, renameBlobs } from './blob-queries.ts'
import {
  addFreedBytes,
  type Freed,
  findFreed,
  forgetFreed,
  forgetFreedBytes,
  lastFreed,
} from './freed-blobs-store.ts'

const KEEP_SECONDS = DAY_SECONDS
const BATCH = 500

/**
 * Removes what no row names any more: each day the files and segments of rows that were removed, so that it costs what a day changed
 * and not what there is (decision 135). A segment is looked at when enough of it was freed. What is younger than a day stays, because
 * the row is written soon after the blob. What is left in segments that are mostly unused moves to a new segment; their old places go a
 * day later. It leaves a run out while a backup reads what rows named when it began.
 * @returns the number of removed files and segments.
 */
export const sweepFreed = (app: App): Promise<number> => undisturbed(app, sweepPlaces)

/**
 * The same of all there is: also what no row ever named, as after a crash, and the small files of before (decision 088), which move
 * to segments.
 */
export const sweepBlobs = (app: App): Promise<number> =>
  undisturbed(app, async (_, before) => {
    const removed = (await sweepFiles(app, before)) + (await sweepSegments(app, before))
    await app.blobs.removeLeftovers(before)
    return removed
  })

const undisturbed = async (
  app: App,
  sweep: (app: App, before: Date) => Promise<number>,
): Promise<number> => {
  const before = secondsAfter(app.clock.now(), -KEEP_SECONDS)
  return (await oneAtOnce(app.connection, SWEEP_LOCK, () => sweep(app, before))) ?? 0
}

const sweepPlaces = async (app: App, before: Date): Promise<number> => {
  // What this run moves is freed again, and waits for its day.
  const upTo = await lastFreed(app.db, before)
  const known: KnownSegments = new Map()
  let removed = 0
  for (let above = 0; ; ) {
    const freed = await findFreed(app.db, { above, upTo, limit: BATCH })
    const last = freed.at(-1)
    if (last === undefined) return removed
    const files = freed.map(({ place }) => place).filter((place) => !isSegment(place))
    removed += await removeUnused(app, [...new Set(files)], before)
    const inSegments = freed.filter(({ place }) => isSegment(place))
    removed += await sweepFreedSegments(app, inSegments, { before, known })
    await forgetFreed(
      app.db,
      freed.filter(({ place }) => known.get(place) !== 'young').map(({ id }) => id),
    )
    above = last.id
  }
}

/**
 * The share of a segment that is freed before it is asked who still names it: asking costs as much as it holds, so that this
 * bounds what a removed mail costs.
 */
const LOOKED_FROM = 1 / 8

/**
 * What a run knows of segments. `done`: it looked at it, after all that it sweeps was freed, or the segment is gone. `young`: somebody
 * may still write to it, and its rows stay for another day.
 */
type KnownSegments = Map<string, Segment | 'young' | 'done'>

const sweepFreedSegments = async (
  app: App,
  freed: readonly Freed[],
  { before, known }: { before: Date; known: KnownSegments },
): Promise<number> => {
  const bytes = new Map<string, number>()
  for (const each of freed) {
    const segment = known.get(each.place) ?? (await findSegment(app, each.place, before))
    known.set(each.place, segment)
    // Of before, when bytes were not noted: it is looked at.
    if (typeof segment === 'object')
      bytes.set(each.place, (bytes.get(each.place) ?? 0) + (each.bytes ?? segment.size))
  }
  const sums = await addFreedBytes(
    app.db,
    [...bytes].map(([place, sum]) => ({ place, bytes: sum })),
  )
  let removed = 0
  for (const { place, bytes: sum } of sums) {
    const segment = known.get(place)
    if (typeof segment !== 'object' || sum < segment.size * LOOKED_FROM) continue
    if ((await sweepSegment(app, segment, before)) === 'removed') removed++
    known.set(place, 'done')
  }
  return removed
}

const findSegment = async (
  app: App,
  place: string,
  before: Date,
): Promise<Segment | 'young' | 'done'> => {
  const found = await app.blobs.segmentOf(place)
  if (found === null) return 'done'
  return found.writtenAt >= before ? 'young' : { segment: place, ...found }
}

type File = { hash: string; size: number }

const sweepFiles = async (app: App, before: Date): Promise<number> => {
  let removed = 0
  let batch: File[] = []
  const sweep = async () => {
    removed += await removeUnused(
      app,
      batch.map(({ hash }) => hash),
      before,
    )
    const small = batch.filter(({ size }) => size <= SMALL_BYTES).map(({ hash }) => hash)
    if (small.length > 0) await moveBlobs(app, [...(await blobsInUse(app.db, small))])
    batch = []
  }
  for await (const { hash, size, writtenAt } of app.blobs.list()) {
    if (writtenAt < before) batch.push({ hash, size })
    if (batch.length === BATCH) await sweep()
  }
  await sweep()
  return removed
}

/** Of files. */
const removeUnused = async (app: App, hashes: readonly string[], before: Date): Promise<number> => {
  if (hashes.length === 0) return 0
  const used = await blobsInUse(app.db, hashes)
  let removed = 0
  for (const hash of hashes)
    if (!used.has(hash) && (await app.blobs.deleteOlder(hash, before))) removed++
  return removed
}

/** Of a segment that is moved together: below this, the room is worth the work. */
const MOVED_BELOW = 0.5

const sweepSegments = async (app: App, before: Date): Promise<number> => {
  let removed = 0
  for await (const found of app.blobs.segments())
    if ((await sweepSegment(app, found, before)) === 'removed') removed++
  return removed
}

type Segment = { segment: string; size: number; writtenAt: Date }
/** `young`: somebody may still write to it. */
type SweptSegment = 'young' | 'removed' | 'stays'

const sweepSegment = async (
  app: App,
  { segment, size, writtenAt }: Segment,
  before: Date,
): Promise<SweptSegment> => {
  if (writtenAt >= before) return 'young'
  const names = await blobsInSegment(app.db, segment)
  await forgetFreedBytes(app.db, [segment])
  if (names.length === 0) {
    await app.blobs.removeSegment(segment)
    return 'removed'
  }
  const used = names.reduce((sum, name) => sum + (placeOf(name)?.size ?? 0), 0)
  if (used < size * MOVED_BELOW) {
    await moveBlobs(app, names)
    // The little that moved is the last of it: the next look comes when that is freed.
    await addFreedBytes(app.db, [{ place: segment, bytes: size }])
  }
  return 'stays'
}

/** Fewer bytes in memory, and a short lock of the rows. */
const MOVED_AT_ONCE = 100

/** Writes the bytes again and lets the rows name the new place. What is damaged stays where it is, and is reported. */
const moveBlobs = async (app: App, names: readonly string[]): Promise<void> => {
  for (let at = 0; at < names.length; at += MOVED_AT_ONCE) {
    const moved = await Promise.all(
      names.slice(at, at + MOVED_AT_ONCE).map(async (old) => {
        try {
          return { old, now: await app.blobs.put(await app.blobs.stored(old)) }
        } catch (error) {
          if (error instanceof BlobMissing) return null
          throw error
        }
      }),
    )
    await renameBlobs(
      app.db,
      moved.filter((each) => each !== null),
    )
  }
}
