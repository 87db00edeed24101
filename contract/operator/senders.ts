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
  /** Recipients outside. */
  sent: z.number().int(),
  /** What other servers refused for good. */
  bounced: z.number().int(),
  complaints: z.number().int(),
  /** The domains that passed complaints on, three at most. */
  reporters: z.array(z.string()),
  stoppedAt: z.iso.datetime().nullable(),
  /** Why an operator stopped it; null: too many bounces did, or it sends. */
  stoppedFor: z.string().nullable(),
})
export type OperatedSender = z.infer<typeof operatedSender>

export const listOperatedSenders = route({
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
  method: 'POST',
  path: '/operator/senders/resume',
  summary: 'Let it send again; what waits is tried at once',
  access: 'operator',
  changes: ['operating'],
  body: z.strictObject({ sender: fields.id }),
  output: operatedSender,
  errors: ['NOT_EXISTS'],
})
