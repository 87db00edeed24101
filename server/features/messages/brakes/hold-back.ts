import type { App } from '#server/app.ts'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import { findStop } from './stops-store.ts'

/** In the ledger, where a server's answer would stand. */
export const HELD_BACK = 'Sending from this mailbox is stopped until an Admin resumes it'

/**
 * A delivery of a stopped mailbox waits like one that a server deferred: it is looked at again, and given up with a bounce
 * after five days. null: it may go.
 */
export const holdBack = async (
  app: App,
  { workspaceId, mailboxId }: OutboxMessage,
): Promise<Attempt | null> => {
  if (workspaceId === null || mailboxId === null) return null
  const stop = await findStop(app.db, { workspaceId, mailboxId })
  return stop === undefined
    ? null
    : { outcome: 'deferred', host: '', ip: '', isTls: false, code: null, reply: HELD_BACK }
}
