/** Limits on sending: how much a mailbox may send, how much is used, and the stop after too many bounces. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** Counts the last 24 hours. Recipients in the same workspace do not count. */
const use = {
  /** null: no limit. */
  dailyLimit: z.number().int().nullable(),
  usedToday: z.number().int(),
  /** Limit for recipients that the mailbox has never written to. */
  newRecipientLimit: z.number().int().nullable(),
  newToday: z.number().int(),
}

export const sendingStop = z.object({
  at: z.iso.datetime(),
  /** Refused deliveries among all finished deliveries. */
  failed: z.number().int(),
  ended: z.number().int(),
  /** One refusing server's reply. */
  example: z.string(),
  /** Why an operator stopped it; null: too many bounces did. */
  operatorReason: z.string().nullable(),
})
export type SendingStop = z.infer<typeof sendingStop>

export const sending = z.object({
  ...use,
  /** true: the workspace is new, and its limits double each day. */
  isRamping: z.boolean(),
  /** When the full limits apply; null when they already do. */
  fullAt: z.iso.datetime().nullable(),
  /** While the workspace is new: the limit for all its mailboxes together. */
  together: z.object(use).nullable(),
  stopped: sendingStop.nullable(),
})
export type Sending = z.infer<typeof sending>

/** The data of the error SENDING_LIMIT: the limit that has least left. */
export const sendingLimit = z.object({
  kind: z.enum(['recipients', 'new-recipients']),
  of: z.enum(['mailbox', 'workspace']),
  limit: z.number().int(),
  used: z.number().int(),
  /** Recipients of the message that count towards this limit. */
  asked: z.number().int(),
  fits: z.number().int(),
  /** When the whole message fits into the limit; null: it never does. */
  roomAt: z.iso.datetime().nullable(),
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
  /** One sentence. */
  text: z.string(),
  /** The other server's reply, unchanged; empty when there was none. */
  reply: z.string(),
})
export type JourneyStep = z.infer<typeof journeyStep>

export const deliveryStatus = z.enum(['queued', 'sending', 'delivered', 'failed'])

/** The journey of a message: the delivery to each recipient, step by step, in plain words. */
export const journey = z.object({
  /** Steps of the message as a whole; for a received message, how it arrived. */
  steps: z.array(journeyStep),
  /** One per recipient; empty for messages not sent from here, and 30 days after the last step. */
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
