/** What webhooks post, as `webhooks` of OpenAPI 3.1: each topic is one operation that the customer's server has. */
import { z } from 'zod'
import { TEST_TOPIC, testEventData, webhookTopics } from '#contract/developers/webhook-topics.ts'
import { COMPONENTS } from './json-schema.ts'
import type { Schemas } from './schemas.ts'

const AT = '2026-11-27T09:30:00.000Z'
const EVENT_ID = '019a4b00-0000-7000-8000-000000000010'

/** Of Standard Webhooks. */
const headers = {
  WebhookId: {
    name: 'webhook-id',
    description: 'The id of the event: the same in every try.',
    schema: { type: 'string', format: 'uuid' },
    example: EVENT_ID,
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    description: 'When this try was made, in seconds since 1970.',
    schema: { type: 'string' },
    example: '1795771800',
  },
  WebhookSignature: {
    name: 'webhook-signature',
    description: '`v1,` and a signature; after a new secret, two of them with a space between.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

export const webhookParameters = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [
    name,
    { in: 'header', required: true, ...header },
  ]),
)
const parameters = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))

const responses = {
  '2XX': { description: 'The event arrived. Answer within ten seconds; the body is not read.' },
  410: { description: 'The webhook is switched off at once.' },
  default: { description: 'The event is sent again later, for three days.' },
}

const topics = {
  ...webhookTopics,
  [TEST_TOPIC]: {
    title: 'A test',
    text: 'An Admin asked for it, to see whether events arrive.',
    data: testEventData,
    example: { webhookId: '019a4b00-0000-7000-8000-000000000007' },
  },
}

/** 'mail.received': 'MailReceived'. */
const inPascalCase = (topic: string): string =>
  topic.replace(/(?:^|\.)([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** Its shapes become named schemas, such as MailReceivedEvent. */
export const webhooksOf = (schemas: Schemas): Record<string, object> =>
  Object.fromEntries(
    Object.entries(topics).map(([topic, { title, text, data, example }]) => {
      const name = inPascalCase(topic)
      const event = z.object({ type: z.literal(topic), timestamp: z.iso.datetime(), data })
      schemas.components[`${name}Event`] = { description: text, ...schemas.of(event, 'output') }
      const content = {
        'application/json': {
          schema: { $ref: `${COMPONENTS}${name}Event` },
          example: { type: topic, timestamp: AT, data: example },
        },
      }
      const operation = {
        ...{ operationId: `on${name}`, tags: ['Events'], summary: title, description: text },
        ...{ security: [], parameters, requestBody: { required: true, content }, responses },
      }
      return [topic, { post: operation }]
    }),
  )
