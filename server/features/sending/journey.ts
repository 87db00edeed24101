import type { Journey, JourneyStep } from '#contract/mail/sending.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMessage } from '#server/features/messages/get-message.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  findOutgoing,
  readAttempts,
  readDeliveries,
} from '#server/features/outbox/ledger-queries.ts'
import { LOCAL_HOST } from '#server/features/outbox/record-attempt.ts'
import { domainOf } from '#server/standards/address.ts'
import { isHeldBack } from './stops/stop-sending.ts'

/** @throws NOT_EXISTS, FORBIDDEN like opening the message */
export const getJourney = async (
  app: App,
  who: Who,
  mailboxId: string,
  messageId: string,
): Promise<Journey> => {
  const message = await openMessage(app, who, mailboxId, messageId)
  const outgoing = await findOutgoing(app.db, who.workspaceId, messageId)
  if (outgoing === undefined)
    return { steps: message.authentication === null ? [] : [arrival(message.date)], deliveries: [] }
  const [deliveries, attempts] = await Promise.all([
    readDeliveries(app.db, outgoing.id),
    readAttempts(app.db, outgoing.id),
  ])
  return {
    steps: [accepted(outgoing)],
    deliveries: deliveries.map((delivery) => ({
      recipient: delivery.recipient,
      status: delivery.status,
      steps: deliverySteps(
        delivery,
        attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
      ),
    })),
  }
}

/** The attempts of a delivery as sentences for readers without knowledge of mail. */
export const deliverySteps = (
  delivery: DeliveryRow,
  attempts: readonly AttemptRow[],
): JourneyStep[] => [...attempts.map(attemptStep), ...endOf(delivery, attempts)]

const attemptStep = (attempt: AttemptRow): JourneyStep => ({
  at: attempt.at.toISOString(),
  kind: attempt.outcome,
  text: attemptWords(attempt),
  // Without a reply code the text is ours, not a server's reply.
  reply: attempt.code === null || attempt.host === LOCAL_HOST ? '' : attempt.reply,
})

const attemptWords = ({ outcome, host, isTls, code, reply }: AttemptRow): string => {
  if (isHeldBack(reply) && code === null) return `Held back here: ${sentenceOf(reply)}`
  if (host === LOCAL_HOST) return localWords[outcome](reply)
  const server = host === '' ? 'The mail server' : host
  if (outcome === 'delivered')
    return `${server} took the message over ${isTls ? 'an encrypted' : 'an unencrypted'} connection.`
  if (code === null) return `${server} could not be asked: ${sentenceOf(reply)}`
  return outcome === 'deferred'
    ? `${server} asked for another try later.`
    : `${server} refused the message for good.`
}

const localWords: Record<AttemptRow['outcome'], (reply: string) => string> = {
  delivered: () => 'Delivered to the mailbox, which is on this server.',
  deferred: (reply) => `The mailbox on this server could not take it yet: ${sentenceOf(reply)}`,
  failed: (reply) => `This server could not deliver it: ${sentenceOf(reply)}`,
}

/** The next step, or why there is none although the last server asked to retry. */
const endOf = (
  { status, nextAttemptAt, lastReply, finishedAt, heldAt }: DeliveryRow,
  attempts: readonly AttemptRow[],
): JourneyStep[] => {
  const last = attempts.at(-1)
  if (status === 'sending') return []
  if (status === 'queued' && heldAt !== null)
    return [step(heldAt, 'next', 'The operator of this installation holds it back for now.')]
  if (status === 'queued')
    return last === undefined
      ? []
      : [step(nextAttemptAt, 'next', 'The next try. The message is kept here until then.')]
  if (status === 'delivered' || last?.outcome === 'failed' || finishedAt === null) return []
  return last?.outcome === 'deferred' && last.reply === lastReply
    ? [step(finishedAt, 'failed', 'Given up: it could not be delivered for five days.')]
    : [step(finishedAt, 'failed', `Given up: ${sentenceOf(lastReply)}`)]
}

const step = (at: Date, kind: JourneyStep['kind'], text: string): JourneyStep => ({
  at: at.toISOString(),
  kind,
  text,
  reply: '',
})

/** The text of an SMTP reply without its codes. */
const sentenceOf = (reply: string): string => {
  const text = reply.replace(/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3} )?/, '').trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}

const accepted = ({ createdAt, mailFrom }: { createdAt: Date; mailFrom: string }): JourneyStep => ({
  at: createdAt.toISOString(),
  kind: 'accepted',
  text: `Accepted from ${mailFrom}, signed for ${domainOf(mailFrom)} and queued.`,
  reply: '',
})

const arrival = (date: Date): JourneyStep => ({
  at: date.toISOString(),
  kind: 'arrived',
  text: 'Received, checked and put into the mailbox.',
  reply: '',
})
