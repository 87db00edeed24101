import type { App } from '#server/app.ts'
import type { ClaimedDelivery } from './deliveries-store.ts'
import type { OutboxMessage } from './outbox-store.ts'
import type { Attempt, Recorded } from './record-attempt.ts'

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
