import type { Journey, JourneyStep } from '#contract/journey.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { openMessage } from '../reading/get-message.ts'
import { findOutgoing, readAttempts, readDeliveries } from './journey-store.ts'
import { deliverySteps } from './journey-words.ts'

/** @throws NOT_EXISTS, FORBIDDEN as the message itself. */
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

const accepted = ({ createdAt, mailFrom }: { createdAt: Date; mailFrom: string }): JourneyStep => ({
  at: createdAt.toISOString(),
  kind: 'accepted',
  text: `Accepted from ${mailFrom}, signed for ${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)} and queued.`,
  reply: '',
})

const arrival = (date: Date): JourneyStep => ({
  at: date.toISOString(),
  kind: 'arrived',
  text: 'Arrived here, was checked and put into the mailbox.',
  reply: '',
})
