/** The OpenAPI documents as a developer and a client generator read them. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { WEBHOOK_TOPICS } from '#contract/developers/webhook-topics.ts'
import type { Route } from '#contract/route.ts'
import { declaredRoutes, nameOf } from '../tests/declared-routes.ts'
import { nameIn } from './json-schema.ts'
import { documentOf } from './openapi.ts'
import { isForOperators } from './tags.ts'

type Content = Record<string, { schema: object; example?: unknown }>
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: object[]
  parameters: { name?: string; description?: string; example?: unknown; $ref?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; headers?: object; $ref?: string }>
}
type Printed = Omit<Awaited<ReturnType<typeof documentOf>>, 'paths' | 'components'> & {
  components: Record<'schemas' | 'parameters' | 'headers' | 'responses', Record<string, object>>
  paths: Record<string, Record<string, Operation>>
}

const routes = await declaredRoutes()
const documents = await Promise.all(
  [false, true].map(async (isOperators) => {
    const listed = routes.filter((route) => isForOperators(route) === isOperators)
    const printed = JSON.stringify(await documentOf(listed, 'https://mail.example.net'))
    return JSON.parse(printed) as Printed
  }),
)
const operations = documents.flatMap(({ paths }) => Object.values(paths).flatMap(Object.values))
const operationOf = (route: Route): Operation => {
  const found = operations.find(({ operationId }) => operationId === route.name)
  if (found === undefined) throw new Error(`no operation ${route.name}`)
  return found
}

test('is valid OpenAPI 3.1, for customers and for operators', async () => {
  for (const document of documents)
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
})

test('has every route once, under its name; what operators do is in their own document', () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    routes.map(({ name }) => name).toSorted(),
  )
  const [customers, operators] = documents
  expect(Object.keys(customers?.paths ?? {}).filter((path) => /operator/.test(path))).toEqual([])
  expect(Object.keys(operators?.paths ?? {}).every((path) => /^\/operator\//.test(path))).toBe(true)
})

test('groups every operation, and says what it does and who may call it', () => {
  const groups = documents.flatMap(({ tags }) => tags)
  for (const { description } of groups) expect(description).toMatch(/\.$/)
  for (const operation of operations) {
    const { operationId, tags, summary, description } = operation
    expect(
      groups.map(({ name }) => name),
      operationId,
    ).toContain(tags.join())
    expect(summary, operationId).toMatch(/^.{3,}$/)
    expect(description, operationId).toMatch(/Who may call it: .+\./)
  }
  expect(operations.find(({ operationId }) => operationId === 'pay')?.description).toContain(
    'Admins of the workspace.',
  )
})

describe('examples', () => {
  const jsonOf = (content: Content | undefined) => content?.['application/json']

  test('stand at every request, every answer and every parameter', () => {
    for (const route of routes) {
      const { requestBody, responses, parameters } = operationOf(route)
      const answer = Object.values(responses[route.status ?? 200]?.content ?? {})[0]
      expect(answer?.example, nameOf(route)).toBeDefined()
      if (route.body) expect(jsonOf(requestBody?.content)?.example, nameOf(route)).toBeDefined()
      for (const { $ref, ...parameter } of parameters)
        if (!$ref)
          expect(parameter, nameOf(route)).toMatchObject({
            description: expect.stringMatching(/.\.$/),
            example: expect.anything(),
          })
    }
  })

  test.each(routes.map((route) => [nameOf(route), route] as const))(
    'of %s are what its schemas take',
    (_name, route) => {
      const { requestBody, responses } = operationOf(route)
      const answer = jsonOf(responses[route.status ?? 200]?.content)
      expect(route.contentType === undefined).toBe(answer !== undefined)
      if (answer) expect(route.output.safeParse(answer.example).error).toBeUndefined()
      if (route.body)
        expect(route.body.safeParse(jsonOf(requestBody?.content)?.example).error).toBeUndefined()
    },
  )
})

/** A stream has the schema of one event, as client generators read it. */
const notLooked = new Set(['schema', 'example', 'examples', 'schemas', 'text/event-stream'])

test('every example of the documents is what the schema beside it takes', () => {
  for (const [n, document] of documents.entries()) {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(document, `document-${n}`)
    let seen = 0
    const check = (schema: object, example: unknown, at: string) => {
      seen += 1
      // Pointers within the document.
      const text = JSON.stringify(schema).replaceAll('"#/', `"document-${n}#/`)
      const isRight = ajv.validate(JSON.parse(text), example)
      expect(isRight, `${at} ${ajv.errorsText()}`).toBe(true)
    }
    const look = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return
      const { schema, example, examples } = value as Record<string, object | undefined>
      if (schema && example !== undefined) check(schema, example, at)
      for (const [name, each] of Object.entries(examples ?? {}))
        if (schema) check(schema, (each as { value: unknown }).value, `${at} ${name}`)
      for (const [key, inner] of Object.entries(value))
        if (!notLooked.has(key)) look(inner, `${at}.${key}`)
    }
    look(document, '')
    expect(seen).toBeGreaterThan(100)
  }
})

describe('for a program with an API key', () => {
  const operation = (name: string) => operationOf({ name } as Route)

  test('each operation names the scopes that it needs, or says that no key may call it', () => {
    expect(operation('addDomain')).toMatchObject({
      security: [{ accessToken: [] }, { apiKey: ['domains:write'] }],
      description: expect.stringContaining(
        'An API key needs `domains:write`, and must not be narrowed to domains or mailboxes.',
      ),
    })
    expect(operation('sendMessage').description).toContain('An API key needs `mail:send`.')
    expect(operation('getOwnKey').description).toContain('Every API key may call it.')
    expect(operation('makeApiKey')).toMatchObject({
      security: [{ accessToken: [] }],
      description: expect.stringContaining('No API key may call it.'),
    })
    expect(operation('login').security).toEqual([])
  })

  test('answers tell what is left, and that nothing was done again', () => {
    const limits = {
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
      RateLimit: { $ref: '#/components/headers/RateLimit' },
    }
    const replayed = { $ref: '#/components/headers/IdempotencyReplayed' }
    expect(operation('addDomain').responses[201]).toMatchObject({
      headers: { ...limits, 'Idempotency-Replayed': replayed },
    })
    expect(operation('listDomains').responses[200]?.headers).toEqual(limits)
    expect(operation('getProfile').responses[200]?.headers).toBeUndefined()
    expect(operation('pay').responses[201]?.headers).toEqual(limits)
    expect(operation('addDomain').parameters).toContainEqual({
      $ref: '#/components/parameters/idempotency-key',
    })
  })

  test('errors have the form of RFC 9457 too, and 431 and 408 that of all others', () => {
    const { responses } = (documents[0] as Printed).components
    for (const [name, response] of Object.entries(responses))
      expect(response, name).toMatchObject({
        content: {
          'application/json': {
            schema: { allOf: [{ $ref: '#/components/schemas/ApiError' }, {}] },
          },
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      })
    for (const { responses, operationId } of operations) {
      expect(responses[431], operationId).toEqual({
        $ref: '#/components/responses/HeadersTooLarge',
      })
      expect(responses[408], operationId).toEqual({ $ref: '#/components/responses/RequestTimeout' })
    }
  })
})

test('webhooks have every topic with a named schema; operators have none', () => {
  const [customers, operators] = documents as [Printed, Printed]
  expect(operators.webhooks).toBeUndefined()
  expect(Object.keys(customers.webhooks ?? {})).toEqual([...WEBHOOK_TOPICS, 'test'])
  expect(customers.webhooks?.['mail.bounced']).toMatchObject({
    post: {
      operationId: 'onMailBounced',
      parameters: [{ $ref: '#/components/parameters/WebhookId' }, {}, {}],
      requestBody: {
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/MailBouncedEvent' },
            example: { type: 'mail.bounced', data: { recipient: 'grace@example.net' } },
          },
        },
      },
    },
  })
  expect(customers.components.schemas.MailBouncedEvent).toMatchObject({
    properties: {
      type: { const: 'mail.bounced' },
      data: { $ref: '#/components/schemas/DeliveryEventData' },
    },
  })
})

test('names every shape that stands at two places', () => {
  for (const document of documents) {
    const places = new Map<string, string[]>()
    const look = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return
      const isObject = 'properties' in value && 'type' in value && value.type === 'object'
      const isNamed = /^components\.schemas\.\w+$/.test(at)
      if (isObject && !isNamed) {
        const text = JSON.stringify(value)
        places.set(text, [...(places.get(text) ?? []), at])
      }
      for (const [key, inner] of Object.entries(value))
        if (key !== 'example' && key !== 'examples') look(inner, at ? `${at}.${key}` : key)
    }
    look(document, '')
    const repeated = [...places].filter(([, all]) => all.length > 1)
    expect(repeated.map(([text, all]) => [all.slice(0, 3), text.slice(0, 200)])).toEqual([])
  }
})

test('refers only to what it has, and every named shape is used', () => {
  for (const document of documents) {
    const used = new Set<string>()
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string') used.add(nameIn({ $ref: value }) ?? value)
      return value
    })
    const schemas = Object.keys(document.components.schemas)
    expect(schemas.filter((name) => !used.has(name))).toEqual([])
    expect([...used].filter((ref) => !ref.startsWith('#') && !schemas.includes(ref))).toEqual([])
  }
})

test('tells the types of each error by its status, and when to try again', () => {
  const [customers] = documents
  expect(customers?.paths['/domains']?.post?.responses).toMatchObject({
    401: { $ref: '#/components/responses/Unauthorized' },
    409: { $ref: '#/components/responses/DomainExistsOrIdempotencyRunning' },
  })
  expect(customers?.components.responses).toMatchObject({
    DomainExistsOrIdempotencyRunning: {
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/ApiError' },
              { properties: { type: { enum: ['DOMAIN_EXISTS', 'IDEMPOTENCY_RUNNING'] } } },
            ],
          },
        },
      },
    },
    TooManyRequests: { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } },
  })
})
