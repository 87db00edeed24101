/** What mailboxes send, what came back and what was complained about, as operators see it: counts, and nothing of any mail. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { listed, pagesOf } from './paged-list.ts'

export const senderOrder = z.enum(['complaints', 'bounced', 'sent', 'email'])
export type SenderOrder = z.infer<typeof senderOrder>

/** The counts are of seven days. */
export const operatedSender = z.object({
  _id: fields.id,
  email: z.string(),
  workspaceId: fields.id,
  workspaceName: z.string(),
  sent: z.number().int().describe('Recipients outside.'),
  bounced: z.number().int().describe('What other servers refused for good.'),
  complaints: z.number().int(),
  reporters: z.array(z.string()).describe('The domains that passed complaints on, three at most.'),
  stoppedAt: z.iso.datetime().nullable(),
  stoppedFor: z
    .string()
    .nullable()
    .describe('Why an operator stopped it; null: too many bounces did, or it sends.'),
})
export type OperatedSender = z.infer<typeof operatedSender>

export const listOperatedSenders = route({
  name: 'listOperatedSenders',
  method: 'GET',
  path: '/operator/senders',
  summary: 'The mailboxes that sent in seven days or are stopped, with bounces and complaints',
  access: 'operator',
  reads: ['operating'],
  query: z.object(listed(senderOrder, 'complaints')),
  output: pagesOf(operatedSender),
  errors: [],
})

/** What happens to what it has queued: it waits until the mailbox may send again, or is given up. */
export const stopQueued = z.enum(['hold', 'drop'])
export type StopQueued = z.infer<typeof stopQueued>

export const stopSender = route({
  name: 'stopSender',
  method: 'POST',
  path: '/operator/senders/stop',
  summary: 'Stop what a mailbox sends; its Admins are told by mail',
  access: 'operator',
  changes: ['operating'],
  body: z.strictObject({ sender: fields.id, reason: fields.operatorReason, queued: stopQueued }),
  output: operatedSender,
  errors: ['NOT_EXISTS'],
})

export const resumeSender = route({
  name: 'resumeSender',
  method: 'POST',
  path: '/operator/senders/resume',
  summary: 'Let it send again; what waits is tried at once',
  access: 'operator',
  changes: ['operating'],
  body: z.strictObject({ sender: fields.id }),
  output: operatedSender,
  errors: ['NOT_EXISTS'],
})
