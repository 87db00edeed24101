/** GET /api/v1/openapi.json: OpenAPI 3.1, printed from the routes that are served. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  commonErrors,
  type ErrorType,
  errorBody,
  sentenceOf,
  sessionErrors,
  statusOf,
} from '#contract/errors.ts'
import { API_PREFIX, type Route } from '#contract/route.ts'
import { WORKSPACE_HEADER } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'

export const registerOpenApi = (server: FastifyInstance, app: App): void => {
  // Made on first request, when every route is registered.
  let document: Buffer | undefined
  server.get(`${API_PREFIX}/openapi.json`, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(describe(server.servedRoutes, app.config.publicUrl)))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}

const describe = (routes: readonly Route[], publicUrl: string) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = operation(route)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mailstead', version: '1' },
    servers: [{ url: publicUrl + API_PREFIX }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  }
}

const operation = (route: Route) => {
  const isOpen = route.access === 'anyone'
  const workspace = {
    name: WORKSPACE_HEADER,
    in: 'header',
    required: false,
    description: "The workspace of the request; the user's current one when absent",
    schema: { type: 'string', format: 'uuid' },
  }
  return {
    summary: route.summary,
    security: isOpen ? [] : [{ accessToken: [] }],
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(isOpen ? [] : [workspace]),
    ],
    ...(route.body
      ? { requestBody: { required: true, content: json(schemaOf(route.body, 'input')) } }
      : {}),
    ...(route.takesBytes ? { requestBody: { required: true, content: bytes } } : {}),
    responses: {
      [route.status ?? 200]: {
        description: 'Done',
        content: contentOf(route),
      },
      ...errorsOf(route),
    },
  }
}

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

const errorsOf = (route: Route) => {
  const types = new Set<ErrorType>([
    ...route.errors,
    ...commonErrors,
    ...(route.access === 'anyone' ? [] : sessionErrors),
  ])
  const byStatus = Map.groupBy(types, (type) => statusFor(type, route))
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [
      status,
      {
        description: all.map((type) => `${type}: ${sentenceOf(type)}`).join('. '),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

/** A token that is not valid is a 401, a mailed link that is not valid a 400. */
const statusFor = (type: ErrorType, route: Route): number =>
  type === 'INVALID_SIGNATURE' && !route.errors.includes(type) ? 401 : statusOf(type)

const parametersOf = (schema: z.ZodObject | undefined, place: 'path' | 'query') => {
  if (!schema) return []
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }))
}

const contentOf = (route: Route) => {
  const schema = schemaOf(route.output, 'output')
  return route.contentType ? { [route.contentType]: { schema } } : json(schema)
}

const json = (schema: unknown) => ({ 'application/json': { schema } })

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  // The dialect is the one of OpenAPI 3.1 itself, so it is not repeated in every schema.
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
