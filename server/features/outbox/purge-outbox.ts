import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteFinished } from './outbox-store.ts'
import { deleteOldStsPolicies } from './sts/sts-store.ts'

const KEEP_SECONDS = 30 * 24 * 3600

/** Forgets messages, and their ledger, of which every delivery ended 30 days ago; the sweep of blobs takes their bytes. */
export const purgeOutbox = async (app: App): Promise<void> => {
  const before = secondsAfter(app.clock.now(), -KEEP_SECONDS)
  await deleteFinished(app.db, before)
  await deleteOldStsPolicies(app.db, before)
}
