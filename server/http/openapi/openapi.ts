/**
 * OpenAPI 3.1, printed from the routes that are served: GET /api/v1/openapi.json for customers and their programs,
 * GET /api/v1/openapi-operator.json for operators.
 */
import type { FastifyInstance } from 'fastify'
import { API_PREFIX, type Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { securitySchemes } from './callers.ts'
import { errorSchema, problemSchema, type SharedResponses } from './errors-of.ts'
import { operationOf } from './operations.ts'
import { sharedParameters } from './parameters.ts'
import { sharedHeaders } from './response-headers.ts'
import { openSchemas } from './schemas.ts'
import { nameShapes } from './shape-names.ts'
import { isForOperators, tagsOf } from './tags.ts'
import { webhookParameters, webhooksOf } from './webhook-events.ts'

export const OPENAPI_PATH = '/openapi.json'
export const OPERATOR_OPENAPI_PATH = '/openapi-operator.json'

export const registerOpenApi = (server: FastifyInstance, app: App): void => {
  const serveDocument = (path: string, isListed: (route: Route) => boolean) => {
    // Made on first request, when every route is registered.
    let document: Promise<Buffer> | undefined
    const print = async () => {
      const routes = server.servedRoutes.filter(isListed)
      return Buffer.from(JSON.stringify(await documentOf(routes, app.config.publicUrl)))
    }
    server.get(API_PREFIX + path, async (_request, reply) => {
      document ??= print()
      return reply.type('application/json; charset=utf-8').send(await document)
    })
  }
  serveDocument(OPENAPI_PATH, (route) => !isForOperators(route))
  serveDocument(OPERATOR_OPENAPI_PATH, isForOperators)
}

export const documentOf = async (routes: readonly Route[], publicUrl: string) => {
  const schemas = openSchemas(await nameShapes())
  const responses: SharedResponses = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = operationOf(route, schemas, responses)
    paths[route.path] = operations
  }
  // Operators have none.
  const hasWebhooks = routes.some(({ path }) => path === '/webhooks')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mailstead',
      version: '1',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl + API_PREFIX }],
    tags: tagsOf(routes),
    paths,
    ...(hasWebhooks && { webhooks: webhooksOf(schemas) }),
    components: {
      schemas: {
        ApiError: errorSchema,
        Problem: problemSchema,
        ...sortedByName(schemas.components),
      },
      parameters: { ...sharedParameters, ...(hasWebhooks && webhookParameters) },
      headers: sharedHeaders,
      responses: sortedByName(responses),
      securitySchemes,
    },
  }
}

const sortedByName = <T>(named: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const description = `Everything that the pages of Mailstead do, as an API for programs.

**Requests** are JSON in UTF-8. Fields that an operation does not name are refused. An API key, or the token of a session, goes
into the header \`Authorization: Bearer\`. An API key is of one workspace; a session of somebody in several names one in
\`X-Workspace-Id\`. A POST with an \`Idempotency-Key\` is done once, however often it is sent.

**Answers** are bare data. Lists that page answer \`{ items, nextCursor }\`: send \`nextCursor\` as \`cursor\` for the next
page; null: there is none. A later version may answer more fields.

**Errors** have one form: \`{ type, message, statusCode, path, data }\`. Programs read \`type\`. An id that is foreign, unknown or
malformed always answers 404. A 429 and a 503 say in \`Retry-After\` when to try again. An API key has limits: each answer says in
\`RateLimit\` what is left.

**Times** are in UTC, **sizes** in bytes, **amounts** in cents.`
