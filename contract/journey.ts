/** The way of a message: what became of it at each recipient, step by step, in plain words. */
import { z } from 'zod'
import { route } from './route.ts'

export const journeyStep = z.object({
  at: z.iso.datetime(),
  kind: z.enum(['arrived', 'accepted', 'delivered', 'deferred', 'failed', 'next']),
  /** One sentence. */
  text: z.string(),
  /** What the other server said, to the letter; empty when it said nothing. */
  reply: z.string(),
})
export type JourneyStep = z.infer<typeof journeyStep>

export const deliveryStatus = z.enum(['queued', 'sending', 'delivered', 'failed'])

export const journey = z.object({
  /** What happened to the message as a whole; of a received one, how it came here. */
  steps: z.array(journeyStep),
  /** One for each recipient; empty for what was not sent from here, and 30 days after the last step. */
  deliveries: z.array(
    z.object({ recipient: z.string(), status: deliveryStatus, steps: z.array(journeyStep) }),
  ),
})
export type Journey = z.infer<typeof journey>

export const getJourney = route({
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/journey',
  summary: 'The way of a message: each recipient, each attempt, in plain words',
  access: 'open-mailboxes',
  reads: ['content'],
  params: z.object({ id: z.string(), messageId: z.string() }),
  output: journey,
  errors: ['NOT_EXISTS'],
})
