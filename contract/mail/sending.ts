/** Limits on sending: how much a mailbox may send, how much is used, and the stop after too many bounces. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** Counts the last 24 hours. Recipients in the same workspace do not count. */
const use = {
  dailyLimit: z.number().int().nullable().describe('null: no limit.'),
  usedToday: z.number().int(),
  newRecipientLimit: z
    .number()
    .int()
    .nullable()
    .describe('Limit for recipients that the mailbox has never written to.'),
  newToday: z.number().int(),
}

export const sendingStop = z.object({
  at: z.iso.datetime(),
  failed: z.number().int().describe('Refused deliveries among all finished deliveries.'),
  ended: z.number().int(),
  example: z.string().describe("One refusing server's reply."),
  operatorReason: z
    .string()
    .nullable()
    .describe('Why an operator stopped it; null: too many bounces did.'),
})
export type SendingStop = z.infer<typeof sendingStop>

export const sending = z.object({
  ...use,
  isRamping: z.boolean().describe('true: the workspace is new, and its limits double each day.'),
  fullAt: z.iso
    .datetime()
    .nullable()
    .describe('When the full limits apply; null when they already do.'),
  together: z
    .object(use)
    .nullable()
    .describe('While the workspace is new: the limit for all its mailboxes together.'),
  stopped: sendingStop.nullable(),
})
export type Sending = z.infer<typeof sending>

/** The data of the error SENDING_LIMIT: the limit that has least left. */
export const sendingLimit = z.object({
  kind: z.enum(['recipients', 'new-recipients']),
  of: z.enum(['mailbox', 'workspace']),
  limit: z.number().int(),
  used: z.number().int(),
  asked: z.number().int().describe('Recipients of the message that count towards this limit.'),
  fits: z.number().int(),
  roomAt: z.iso
    .datetime()
    .nullable()
    .describe('When the whole message fits into the limit; null: it never does.'),
})
export type SendingLimit = z.infer<typeof sendingLimit>

/** `when` formats a time for the reader. */
export const limitSentence = (given: SendingLimit, when: (iso: string) => string): string => {
  const { kind, of, limit, used, asked, fits, roomAt } = given
  const isOne = of === 'mailbox'
  const whose = isOne ? 'this mailbox' : 'the mailboxes of this new workspace together'
  const whom =
    kind === 'recipients'
      ? 'recipients outside this workspace'
      : `new recipients, to whom ${isOne ? 'it has' : 'they have'} never written before`
  const room =
    roomAt === null
      ? 'This is more than the limit: please send it in parts.'
      : `There will be room for the whole message at ${when(roomAt)}.`
  return `In 24 hours ${whose} may write to ${limit} ${whom}; ${used} ${used === 1 ? 'is' : 'are'} used. This message has ${asked} of them: ${fits === 0 ? 'none fits' : `${fits} would fit`} now. ${room}`
}

type Stopped = Pick<SendingStop, 'failed' | 'ended' | 'operatorReason'>

export const stopSentence = ({ failed, ended, operatorReason }: Stopped): string =>
  operatorReason === null
    ? `Sending from this mailbox to other servers has stopped: ${failed} of ${ended} deliveries were refused for good.`
    : 'The operator of this installation has stopped sending from this mailbox to other servers.'

export const whoResumes = ({ operatorReason }: Stopped): string =>
  operatorReason === null
    ? 'An Admin of this workspace can resume it.'
    : `Only the operator can resume it. The reason: ${operatorReason}`

const mailboxId = z.object({ id: z.string() })

export const getSending = route({
  name: 'getSending',
  method: 'GET',
  path: '/mailboxes/{id}/sending',
  summary:
    'What a mailbox may send and has sent in 24 hours, and whether a burst of bounces stopped it',
  access: 'open-mailboxes',
  reads: ['sending'],
  params: mailboxId,
  output: sending,
  errors: ['NOT_EXISTS'],
})

export const resumeSending = route({
  name: 'resumeSending',
  method: 'POST',
  path: '/mailboxes/{id}/sending/resume',
  summary: 'Let a mailbox send again that a burst of bounces stopped; what was held back goes out',
  access: 'resume-sending',
  changes: ['sending', 'mailboxes'],
  params: mailboxId,
  output: sending,
  errors: ['NOT_EXISTS', 'MAILBOX_SENDING_STOPPED'],
})

export const listSendingStops = route({
  name: 'listSendingStops',
  method: 'GET',
  path: '/mailboxes/sending-stops',
  summary: 'The mailboxes of the workspace whose sending is stopped',
  access: 'see-mailboxes',
  reads: ['mailboxes'],
  output: z.array(sendingStop.extend({ mailboxId: fields.id })),
  errors: [],
})

export const journeyStep = z.object({
  at: z.iso.datetime(),
  kind: z.enum(['arrived', 'accepted', 'delivered', 'deferred', 'failed', 'next']),
  text: z.string().describe('One sentence.'),
  reply: z.string().describe("The other server's reply, unchanged; empty when there was none."),
})
export type JourneyStep = z.infer<typeof journeyStep>

export const deliveryStatus = z.enum(['queued', 'sending', 'delivered', 'failed'])

/** The journey of a message: the delivery to each recipient, step by step, in plain words. */
export const journey = z.object({
  steps: z
    .array(journeyStep)
    .describe('Steps of the message as a whole; for a received message, how it arrived.'),
  deliveries: z
    .array(z.object({ recipient: z.string(), status: deliveryStatus, steps: z.array(journeyStep) }))
    .describe(
      'One per recipient; empty for messages not sent from here, and 30 days after the last step.',
    ),
})
export type Journey = z.infer<typeof journey>

export const getJourney = route({
  name: 'getJourney',
  method: 'GET',
  path: '/mailboxes/{id}/messages/{messageId}/journey',
  summary: 'The way of a message: each recipient, each attempt, in plain words',
  description:
    'Steps of the message, and of its delivery to each recipient. `status` is `delivered` or `failed` when nothing more will happen.',
  access: 'open-mailboxes',
  reads: ['content'],
  params: z.object({ id: z.string(), messageId: z.string() }),
  output: journey,
  errors: ['NOT_EXISTS'],
})
