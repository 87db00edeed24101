import type { App } from '#server/app.ts'
import { deleteExpiredLinks } from './links-store.ts'

/** An expired link answers as one that never was, so nothing of it is kept. For a daily job. */
export const purgeLinks = (app: App): Promise<void> => deleteExpiredLinks(app.db, app.clock.now())
