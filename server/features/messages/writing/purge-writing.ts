import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { deleteSentDrafts } from './drafts-store.ts'
import { deleteSends } from './sends-store.ts'
import { deleteIdleUploads } from './uploads-store.ts'

const DAY_SECONDS = 24 * 3600

/** Files that no draft has for a day, and what was needed to take a message back. The sweep takes their bytes. */
export const purgeWriting = async (app: App): Promise<void> => {
  const before = (days: number) => secondsAfter(app.clock.now(), -days * DAY_SECONDS)
  await deleteSends(app.db, before(30))
  await deleteSentDrafts(app.db, before(1))
  await deleteIdleUploads(app.db, before(1))
}
