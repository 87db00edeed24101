/** The end of one attempt: the ledger, what is stored here, and a bounce when nothing more will be tried. */
import type { App } from '#server/app.ts'
import { type LocalDelivery, withTrace } from '#server/features/intake/deliver-locally.ts'
import { announceMailSoon } from '#server/features/messages/announce-mail.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import type { ClaimedDelivery, OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { type Attempt, logAttempt, recordAttempt } from '#server/features/outbox/record-attempt.ts'
import { newId } from '#server/lib/ids.ts'
import { writeBounce } from '#server/standards/bounce/bounce.ts'
import type { Db } from '#server/storage/database.ts'
import { announceDelivery } from '#server/storage/notifications.ts'
import { isHeldNoMore, noteFailure } from './stop-sending.ts'
import { bringForward } from './stops-store.ts'

type Attempts = readonly [...Attempt[], Attempt]

export type Delivering = {
  /** The worker that holds the claim. */
  by: number
  delivery: ClaimedDelivery
  message: OutboxMessage
  /** Of what is not kept here, its header is enough. */
  raw: Buffer
}

/** All in one transaction, so local mail arrives exactly once and a bounce is written once. */
export const finishAttempt = async (
  app: App,
  { by, delivery, message, raw }: Delivering,
  attempts: Attempts,
  local: LocalDelivery | null,
): Promise<void> => {
  const recorded = await app.db.transaction().execute(async (tx) => {
    const isResumed = await isHeldNoMore(tx, message, attempts.at(-1))
    const status = await recordAttempt(app, tx, by, delivery, attempts)
    if (status === 'queued' && isResumed) {
      await bringForward(tx, delivery.id, app.clock.now())
      await announceDelivery(tx)
    }
    if (status === 'delivered') await local?.keep?.(tx)
    if (status !== 'failed') return status
    await bounce(app, tx, message, delivery, attempts, raw)
    // What a program answered is nobody's fault.
    const mailboxId = message.mailFrom === '' ? null : message.mailboxId
    const last = attempts[attempts.length - 1] as Attempt
    await noteFailure(app, tx, { mailboxId, deliveryId: delivery.id }, last)
    return status
  })
  logAttempt(app, delivery, message, attempts[attempts.length - 1] as Attempt, recorded)
  // Its journey went on a step.
  const { workspaceId, mailboxId } = message
  if (workspaceId !== null && mailboxId !== null) announceMailSoon(app, { workspaceId, mailboxId })
}

/** Only to a mailbox of ours that sent it: never for system mail, never for a bounce, never to a stranger. */
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
