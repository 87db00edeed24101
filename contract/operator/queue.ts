/** The outgoing queue of an installation, as its operators see it: addresses, times and replies, and nothing of any mail. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** What waits for one domain and was answered the same. */
export const queueGroup = z.object({
  destination: z.string(),
  reason: z.string().describe("The last reply; '' before the first try."),
  count: z.number().int(),
  held: z.number().int(),
  oldestAt: z.iso.datetime(),
  nextAttemptAt: z.iso.datetime(),
})
export type QueueGroup = z.infer<typeof queueGroup>

export const queuedDelivery = z.object({
  _id: fields.id,
  mailFrom: z.string(),
  recipient: z.string(),
  workspaceName: z.string().describe("'' for system mail."),
  workspaceId: fields.id.nullable(),
  state: z.enum(['queued', 'sending', 'held']),
  attempts: z.number().int(),
  reason: z.string(),
  sizeBytes: z.number().int(),
  createdAt: z.iso.datetime(),
  nextAttemptAt: z.iso.datetime(),
})
export type QueuedDelivery = z.infer<typeof queuedDelivery>

export const listQueue = route({
  name: 'listQueue',
  method: 'GET',
  path: '/operator/queue',
  summary: 'What waits, by destination and reason; the largest first',
  access: 'operator',
  reads: ['operating'],
  output: z.object({ items: z.array(queueGroup), total: z.number().int() }),
  errors: [],
})

/** Which deliveries: of a recipient's domain, of a sender's address, of a workspace, or one. */
export const queueTarget = z.strictObject({
  by: z.enum(['destination', 'sender', 'workspace', 'delivery']),
  value: fields.queueValue,
})
export type QueueTarget = z.infer<typeof queueTarget>

export const showQueue = route({
  name: 'showQueue',
  method: 'GET',
  path: '/operator/queue/deliveries',
  summary: 'The deliveries that wait, the oldest first',
  access: 'operator',
  reads: ['operating'],
  query: z.object({ ...queueTarget.partial().shape, ...fields.page }),
  output: z.object({ items: z.array(queuedDelivery), nextCursor: z.string().nullable() }),
  errors: [],
})

export const queueChange = z.enum(['retry', 'hold', 'release', 'drop'])
export type QueueChange = z.infer<typeof queueChange>

export const changeQueue = route({
  name: 'changeQueue',
  method: 'POST',
  path: '/operator/queue',
  summary: 'Try deliveries at once, hold them back, release them, or drop them for good',
  access: 'operator',
  changes: ['operating'],
  body: queueTarget.extend({ change: queueChange }),
  output: z.object({ changed: z.number().int() }),
  errors: [],
})
