/** Ends what the change log keeps: places and bytes after 30 days, bytes earlier where a workspace keeps too many (decision 086). */
import type { App } from '#server/app.ts'
import { noteForgotten } from '#server/features/mailboxes/folder-queries.ts'
import { lockMailOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { forgetTombstones, freeKeptBytes, mailboxesToForget } from './log-store.ts'

export const KEEP_DAYS = 30
const BATCH = 5_000

export const purgeTombstones = async (app: App): Promise<void> => {
  const before = secondsAfter(app.clock.now(), -KEEP_DAYS * DAY_SECONDS)
  for (;;) {
    const due = await mailboxesToForget(app.db, before, BATCH)
    if (due.length === 0) break
    for (const mailboxId of due)
      await app.db.transaction().execute(async (tx) => {
        await lockMailOf(tx, mailboxId)
        const modseq = await forgetTombstones(tx, mailboxId, before)
        if (modseq !== null) await noteForgotten(tx, mailboxId, modseq)
      })
  }
  await freeKeptBytes(app.db)
}
