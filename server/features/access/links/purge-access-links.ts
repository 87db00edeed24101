import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteLinks } from './access-links-store.ts'

const KEPT_SECONDS = 30 * 24 * 3600

/** Used and expired ones stay a while: "expired" is a better answer than "unknown". For a daily job. */
export const purgeAccessLinks = (app: App): Promise<void> =>
  deleteLinks(app.db, secondsAfter(app.clock.now(), -KEPT_SECONDS))
