import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { DAY_SECONDS } from './limits.ts'
import { deleteSendings } from './sendings-store.ts'
import { deleteBounces } from './stops-store.ts'

/** Forgets what no limit counts any more. */
export const purgeBrakes = async (app: App): Promise<void> => {
  const before = secondsAfter(app.clock.now(), -DAY_SECONDS)
  await deleteSendings(app.db, before)
  await deleteBounces(app.db, before)
}
