/** Writes an attempt into the ledger and moves its delivery on. */
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { nextAttemptAt } from '#server/standards/retry-schedule.ts'
import type { Db } from '#server/storage/database.ts'
import { type ClaimedDelivery, insertAttempts, settleDelivery } from './deliveries-store.ts'
import type { OutboxMessage } from './outbox-store.ts'

/** What one host said, or why it could not be asked. */
export type Attempt = {
  outcome: 'delivered' | 'deferred' | 'failed'
  host: string
  ip: string
  isTls: boolean
  /** SMTP code, null when there was no answer. */
  code: number | null
  reply: string
}

export type Recorded = 'delivered' | 'queued' | 'failed' | 'lost'

/**
 * `attempts` are those of one run, in order: one per host that was tried; the last decides. The rows belong
 * to the caller's transaction. Answers what became of the delivery; 'lost' when another worker holds it by
 * now, and then nothing is written.
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
    lastReply: tidy(last.reply),
    finishedAt: status === 'queued' ? null : now,
  })
  if (!isHeld) return 'lost'
  await insertAttempts(
    db,
    attempts.map((attempt, n) => ({
      ...attempt,
      reply: tidy(attempt.reply),
      id: newId(),
      deliveryId: delivery.id,
      workspaceId: delivery.workspaceId,
      // In their order, although they are written together.
      at: new Date(now.getTime() + n),
    })),
  )
  return status
}

/** Replies come from strangers: text that PostgreSQL takes, and not too much of it. */
const tidy = (reply: string): string => reply.replaceAll('\0', '').toWellFormed().slice(0, 2_000)

const events = {
  delivered: 'mail-delivered',
  queued: 'mail-deferred',
  failed: 'mail-bounced',
} as const

/** After the ledger is committed: the log never says what did not happen. */
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
