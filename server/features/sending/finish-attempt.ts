/** The end of one attempt: the ledger, what is stored here, and a bounce when nothing more will be tried. */
import type { App } from '#server/app.ts'
import { announceMailSoon } from '#server/features/messages/announce-mail.ts'
import { receiveMessage, withTrace } from '#server/features/messages/receive-message.ts'
import type { ClaimedDelivery, OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { setNextAttempt } from '#server/features/outbox/ledger-queries.ts'
import {
  type Attempt,
  type LocalDelivery,
  logAttempt,
  type Recorded,
  recordAttempt,
} from '#server/features/outbox/record-attempt.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { writeBounce } from '#server/standards/bounce/bounce.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery } from '#server/storage/notifications.ts'
import { isReleased, noteFailure } from './stops/stop-sending.ts'

type Attempts = readonly [...Attempt[], Attempt]

export type Delivering = {
  /** Number of the worker that holds the claim. */
  by: number
  delivery: ClaimedDelivery
  message: OutboxMessage
  /** The message; its header alone is enough when nothing is stored here. */
  raw: Buffer
}

/** One transaction, so that local mail arrives exactly once and one bounce is written. */
export const finishAttempt = async (
  app: App,
  { by, delivery, message, raw }: Delivering,
  attempts: Attempts,
  local: LocalDelivery | null,
): Promise<void> => {
  const recorded = await app.db.transaction().execute(async (tx) => {
    const isResumed = await isReleased(tx, message, attempts.at(-1))
    const status = await recordAttempt(app, tx, by, delivery, attempts)
    if (status === 'queued' && isResumed) {
      await setNextAttempt(tx, delivery.id, app.clock.now())
      await announceDelivery(tx)
    }
    await noteDelivery(app, tx, { message, delivery }, attempts, status)
    if (status === 'delivered') await local?.keep?.(tx)
    if (status !== 'failed') return status
    await bounce(app, tx, message, delivery, attempts, raw)
    // A bounced automatic reply (empty reverse path) does not count as a failure of the mailbox.
    const mailboxId = message.mailFrom === '' ? null : message.mailboxId
    const last = attempts[attempts.length - 1] as Attempt
    await noteFailure(app, tx, { mailboxId, deliveryId: delivery.id }, last)
    return status
  })
  logAttempt(app, delivery, message, attempts[attempts.length - 1] as Attempt, recorded)
  // The delivery steps that a page shows have changed.
  const { workspaceId, mailboxId } = message
  if (workspaceId !== null && mailboxId !== null) announceMailSoon(app, { workspaceId, mailboxId })
}

const topics = {
  delivered: 'mail.delivered',
  queued: 'mail.deferred',
  failed: 'mail.bounced',
} as const

/** For webhooks. System mail is no workspace's, and automatic replies are nobody's mail. */
const noteDelivery = async (
  app: App,
  tx: Db,
  { message, delivery }: Pick<Delivering, 'message' | 'delivery'>,
  attempts: Attempts,
  status: Recorded,
): Promise<void> => {
  const { workspaceId, mailboxId, sentMessageId: messageId, mailFrom } = message
  if (status === 'lost' || workspaceId === null || mailboxId === null || mailFrom === '') return
  const { id: deliveryId, recipient } = delivery
  const { reply } = attempts[attempts.length - 1] as Attempt
  await noteEvent(tx, {
    ...{ topic: topics[status], workspaceId, about: mailboxId, at: app.clock.now() },
    data: {
      ...{ mailboxId, mailbox: mailFrom, messageId, deliveryId, recipient, reply },
      attempts: delivery.attempts + 1,
    },
  })
}

/** Bounces go only to the mailbox here that sent the message: never for system mail or bounces, never to other servers. */
const bounce = async (
  app: App,
  tx: Db,
  message: OutboxMessage,
  delivery: ClaimedDelivery,
  attempts: Attempts,
  original: Buffer,
): Promise<void> => {
  const { workspaceId, mailboxId, mailFrom } = message
  if (workspaceId === null || mailboxId === null || mailFrom === '') return
  if (!message.wantsBounce) return
  const last = attempts[attempts.length - 1] as Attempt
  const written = await writeBounce({
    mailHost: app.config.mailHost,
    sender: mailFrom,
    recipient: delivery.recipient,
    reply: last.reply,
    isAnswer: last.code !== null,
    remoteHost: last.ip === '' ? '' : last.host,
    isExpired: last.outcome === 'deferred',
    queuedAt: delivery.createdAt,
    at: app.clock.now(),
    messageId: `${newId()}@${app.config.mailHost}`,
    original,
  })
  const raw = withTrace(app, written, '', mailFrom)
  await receiveMessage(app, tx, { raw, mailFrom: '', authentication: null }, [
    { mailboxId, workspaceId },
  ])
}
