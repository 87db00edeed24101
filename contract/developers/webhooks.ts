/** Webhooks of a workspace, in the form of Standard Webhooks (decision 122). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { TEST_TOPIC, WEBHOOK_TOPICS } from './webhook-topics.ts'

/** Of one workspace. */
export const MAX_WEBHOOKS = 20
/** After a new secret was made, the former one signs too. */
export const FORMER_SECRET_HOURS = 24
/** Events and attempts are kept for so long. */
export const EVENT_DAYS = 7

export const webhookTopic = z.enum(WEBHOOK_TOPICS)

/** Why a webhook is off. */
export const offReason = z.enum(['admin', 'gone', 'failing', 'full', 'maker-left'])
export type OffReason = z.infer<typeof offReason>

export const webhook = z.object({
  _id: fields.id,
  url: z.string(),
  topics: z.array(webhookTopic),
  isOn: z.boolean(),
  /** null while it is on. */
  offReason: offReason.nullable(),
  offAt: z.iso.datetime().nullable(),
  /** Since when no event arrived although some were sent; null: the last one arrived. */
  failingSince: z.iso.datetime().nullable(),
  /** Until when the former secret signs too; null: there is none. */
  formerSecretUntil: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Webhook = z.infer<typeof webhook>

/** The secret is answered this once. */
export const madeWebhook = webhook.extend({ secret: z.string() })
export type MadeWebhook = z.infer<typeof madeWebhook>

export const webhookForm = z.strictObject({
  url: fields.webhookUrl,
  topics: z.array(webhookTopic).min(1, 'Please choose at least one').max(WEBHOOK_TOPICS.length),
})

export const attempt = z.object({
  _id: fields.id,
  /** The webhook-id that the receiver got: the same in every attempt of one event. */
  eventId: fields.id,
  topic: z.enum([...WEBHOOK_TOPICS, TEST_TOPIC]),
  at: z.iso.datetime(),
  durationMs: z.number().int(),
  /** The HTTP status; null: no answer came. */
  status: z.number().int().nullable(),
  /** Why the event did not arrive; '' when it did. */
  reason: z.string(),
  /** The first kilobyte of the answer. */
  answer: z.string(),
  /** What has become of the event since. */
  state: z.enum(['waiting', 'delivered', 'failed']),
})
export type Attempt = z.infer<typeof attempt>

/** What was queued to be sent. */
export const queuedEvent = z.object({ eventId: fields.id })

const params = z.object({ id: z.string() })

export const listWebhooks = route({
  name: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'The webhooks of the workspace, oldest first',
  access: 'manage-webhooks',
  reads: ['webhooks'],
  output: z.array(webhook),
  errors: [],
})

export const getWebhook = route({
  name: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'One webhook',
  access: 'manage-webhooks',
  reads: ['webhooks'],
  params,
  output: webhook,
  errors: ['NOT_EXISTS'],
})

export const addWebhook = route({
  name: 'addWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Have events of the workspace posted to an address; the secret is answered this once',
  access: 'manage-webhooks',
  changes: ['webhooks'],
  body: webhookForm,
  output: madeWebhook,
  errors: ['WEBHOOK_LIMIT'],
  status: 201,
})

export const changeWebhook = route({
  name: 'changeWebhook',
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary:
    'Change the address or the topics of a webhook, or switch it off or on. Switched on or with another address, it belongs to the caller, and what waited is sent',
  access: 'manage-webhooks',
  changes: ['webhooks'],
  params,
  body: webhookForm.extend({ isOn: z.boolean() }).partial(),
  output: webhook,
  errors: ['NOT_EXISTS'],
})

export const deleteWebhook = route({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook, its log and the events that wait for it',
  access: 'manage-webhooks',
  changes: ['webhooks'],
  params,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const rotateWebhookSecret = route({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/secret',
  summary: `Make a new secret; the former one signs too for ${FORMER_SECRET_HOURS} hours`,
  access: 'manage-webhooks',
  changes: ['webhooks'],
  params,
  output: madeWebhook,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const testWebhook = route({
  name: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send the event “test”; its result is among the attempts',
  access: 'manage-webhooks',
  changes: ['webhooks'],
  notAudited: 'It posts an event of its own',
  params,
  output: queuedEvent,
  errors: ['NOT_EXISTS', 'WEBHOOK_OFF'],
  status: 202,
})

export const listWebhookAttempts = route({
  name: 'listWebhookAttempts',
  method: 'GET',
  path: '/webhooks/{id}/attempts',
  summary: `What was sent to a webhook in the last ${EVENT_DAYS} days and what it answered, newest first`,
  access: 'manage-webhooks',
  reads: ['webhooks'],
  params,
  query: z.object(fields.page),
  output: z.object({ items: z.array(attempt), nextCursor: z.string().nullable() }),
  errors: ['NOT_EXISTS'],
})

export const replayWebhookAttempt = route({
  name: 'replayWebhookAttempt',
  method: 'POST',
  path: '/webhooks/{id}/attempts/{attemptId}/replay',
  summary: 'Send the event of an attempt again, with the same webhook-id',
  access: 'manage-webhooks',
  changes: ['webhooks'],
  notAudited: 'It posts an event once more',
  params: params.extend({ attemptId: z.string() }),
  output: queuedEvent,
  errors: ['NOT_EXISTS', 'WEBHOOK_OFF'],
  status: 202,
})
