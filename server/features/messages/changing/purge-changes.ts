import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteChanges } from './bulk-store.ts'
import { UNDO_SECONDS } from './change-messages.ts'

/** Forgets what cannot be taken back any more, also where nothing was changed since. */
export const purgeChanges = (app: App): Promise<void> =>
  deleteChanges(app.db, secondsAfter(app.clock.now(), -UNDO_SECONDS))
