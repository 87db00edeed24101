import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteExports } from './exports-store.ts'
import { cancelIdle } from './imports-store.ts'

const DAY_SECONDS = 24 * 3600

/** Ends uploads that nobody went on with for a week, and forgets downloads of yesterday. */
export const purgeTransfers = async (app: App): Promise<void> => {
  const now = app.clock.now()
  await cancelIdle(app.db, secondsAfter(now, -7 * DAY_SECONDS))
  await deleteExports(app.db, secondsAfter(now, -DAY_SECONDS))
}
