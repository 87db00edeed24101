/**
 * Moves all blobs from BLOB_FROM to where they are kept now, while mail flows (decision 131). Nothing is removed from the old place: it
 * gets another mark, so that nobody writes there any more. Cut off anywhere, it can be run again.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import { claimBlobs, leftMark, noteMoved } from '#server/storage/blobs/open-blobs.ts'
import { blobPlace, formerPlace, type PlaceConfig } from '#server/storage/blobs/places.ts'
import { CHECKED_MS } from '#server/storage/blobs/s3/mark-watch.ts'
import type { Database } from '#server/storage/database.ts'

export type MovedBlobs = {
  from: string
  to: string
  /** Files or objects, and their bytes. */
  moved: number
  bytes: number
  /** What was there already. */
  before: number
}

const AT_ONCE = 8
/** Whoever still writes to the old place has noticed by then that it is not theirs any more, and a write that had begun has ended. */
const SETTLED_MS = CHECKED_MS + 10_000

/** `settledMs`: for tests whose processes have ended. @throws StartError without BLOB_FROM; BlobStoreAway */
export const moveBlobs = async (
  config: PlaceConfig,
  db: Database,
  settledMs = SETTLED_MS,
): Promise<MovedBlobs> => {
  const [to, from] = [blobPlace(config), formerPlace(config)]
  if (from === null)
    throw new StartError(
      'Please name with BLOB_FROM where the blobs are, and with BLOB_URL where they go.',
    )
  const id = await claimBlobs(db, to, from)
  const done: MovedBlobs = { from: from.name, to: to.name, moved: 0, bytes: 0, before: 0 }
  let total = 0
  const moveOne = async ({ key, size }: { key: string; size: number }): Promise<void> => {
    total++
    if ((await to.objects.sizeOf(key)) === size) return
    const bytes = await from.objects.read(key)
    // Swept away meanwhile.
    if (bytes === null) return
    await to.objects.write(key, bytes)
    done.moved++
    done.bytes += bytes.length
  }
  const moveAll = async (): Promise<void> => {
    total = 0
    const moving = new Set<Promise<void>>()
    for await (const object of from.objects.list()) {
      const one = moveOne(object).finally(() => moving.delete(one))
      moving.add(one)
      if (moving.size >= AT_ONCE) await Promise.race(moving)
    }
    await Promise.all(moving)
  }
  await moveAll()
  if ((await from.mark.read()) !== null) {
    await from.mark.replace(leftMark(id))
    await wait(settledMs)
  }
  // What came meanwhile.
  await moveAll()
  await noteMoved(db)
  return { ...done, before: Math.max(0, total - done.moved) }
}
