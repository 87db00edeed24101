/** Writes an attempt into the ledger and updates its delivery. */
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { storable } from '#server/lib/plain-text.ts'
import { nextAttemptAt } from '#server/standards/retry-schedule.ts'
import type { Db } from '#server/storage/database.ts'
import { type ClaimedDelivery, insertAttempts, settleDelivery } from './deliveries-store.ts'
import type { OutboxMessage } from './outbox-store.ts'

/** One host's reply, or the reason why it could not be reached. */
export type Attempt = {
  outcome: 'delivered' | 'deferred' | 'failed'
  host: string
  ip: string
  isTls: boolean
  /** SMTP reply code; null without a reply. */
  code: number | null
  reply: string
}

/** Of a server, as the ledger keeps it, in letters. */
const LONGEST_REPLY = 2_000

/** Stored as the host of an attempt when the recipient is local. */
export const LOCAL_HOST = 'local'

/** The result of a local delivery. `keep` stores the mail in the transaction of the attempt, so that it arrives exactly once. */
export type LocalDelivery = { attempt: Attempt; keep: ((tx: Db) => Promise<void>) | null }

export type Recorded = 'delivered' | 'queued' | 'failed' | 'lost'

/**
 * `attempts` are those of one run in order, one per host; the last decides. The rows belong
 * to the caller's transaction. @returns the state of the delivery; 'lost' when another worker holds it:
 * then nothing is written.
 */
export const recordAttempt = async (
  app: App,
  db: Db,
  by: number,
  delivery: ClaimedDelivery,
  attempts: readonly [...Attempt[], Attempt],
): Promise<Recorded> => {
  const now = app.clock.now()
  const last = attempts[attempts.length - 1] as Attempt
  const retryAt =
    last.outcome === 'deferred'
      ? nextAttemptAt(delivery.createdAt, delivery.attempts + 1, now)
      : null
  const status = last.outcome === 'delivered' ? 'delivered' : retryAt === null ? 'failed' : 'queued'
  const isHeld = await settleDelivery(db, delivery.id, by, {
    status,
    ...(retryAt === null ? {} : { nextAttemptAt: retryAt }),
    lastReply: storable(last.reply, LONGEST_REPLY),
    finishedAt: status === 'queued' ? null : now,
  })
  if (!isHeld) return 'lost'
  await insertAttempts(
    db,
    attempts.map((attempt, n) => ({
      ...attempt,
      reply: storable(attempt.reply, LONGEST_REPLY),
      id: newId(),
      deliveryId: delivery.id,
      workspaceId: delivery.workspaceId,
      // Increasing times keep the order of attempts that are written together.
      at: new Date(now.getTime() + n),
    })),
  )
  return status
}

const events = {
  delivered: 'mail-delivered',
  queued: 'mail-deferred',
  failed: 'mail-bounced',
} as const

/** Called after the commit: the log never reports what did not happen. */
export const logAttempt = (
  app: App,
  delivery: ClaimedDelivery,
  message: Pick<OutboxMessage, 'mailFrom'>,
  last: Attempt,
  status: Recorded,
): void => {
  if (status === 'lost') return
  const { id: deliveryId, outboxMessageId: messageId, workspaceId, recipient: to } = delivery
  const { host, ip, isTls: tls, reply } = last
  app.logEvent(events[status], {
    ...{ deliveryId, messageId, workspaceId, from: message.mailFrom, to },
    ...{ host, ip, tls, reply, attempts: delivery.attempts + 1 },
  })
}
