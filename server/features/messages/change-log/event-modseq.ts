import type { Changed } from '#contract/events.ts'
import type { App } from '#server/app.ts'
import { readLogEnds } from '#server/features/mailboxes/folder-queries.ts'

/**
 * Adds the modseq to news of a mailbox, as it is now: later changes may be in it, whose events come next. A page that gets none
 * asks what is new.
 */
export const withModseq = async (app: App, event: Changed): Promise<Changed> => {
  const { topic, workspaceId, mailboxId } = event
  if (topic !== 'messages' || mailboxId === undefined) return event
  const ends = await readLogEnds(app.db, { workspaceId, mailboxId }).catch(() => undefined)
  return ends === undefined ? event : { ...event, modseq: ends.modseq }
}
