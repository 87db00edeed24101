import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { blobsInUse } from './changes-store.ts'

const KEEP_SECONDS = 24 * 3600
const BATCH = 500

/** Removes blobs that no row has referred to for a day: a row always comes soon after its blob. Returns how many. */
export const sweepBlobs = async (app: App): Promise<number> => {
  const before = secondsAfter(app.clock.now(), -KEEP_SECONDS)
  let removed = 0
  let batch: string[] = []
  const sweep = async () => {
    if (batch.length === 0) return
    const used = await blobsInUse(app.db, batch)
    for (const hash of batch)
      if (!used.has(hash) && (await app.blobs.deleteOlder(hash, before))) removed++
    batch = []
  }
  for await (const { hash, writtenAt } of app.blobs.list()) {
    if (writtenAt < before) batch.push(hash)
    if (batch.length === BATCH) await sweep()
  }
  await sweep()
  await app.blobs.removeLeftovers(before)
  return removed
}
