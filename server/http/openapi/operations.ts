/** One operation of the OpenAPI document, from one route of the contract. */
import type { Route } from '#contract/route.ts'
import { topicsOf } from '#contract/subjects.ts'
import { keyNeeds, securityOf, whoMayCall } from './callers.ts'
import { errorsOf, type SharedResponses } from './errors-of.ts'
import { exampleOf } from './examples.ts'
import { parametersOf } from './parameters.ts'
import { headersOf } from './response-headers.ts'
import type { Schemas } from './schemas.ts'
import { tagOf } from './tags.ts'

/** `responses` collects the answers that operations share. */
export const operationOf = (route: Route, schemas: Schemas, responses: SharedResponses) => ({
  operationId: route.name,
  tags: [tagOf(route)],
  summary: route.summary,
  description: descriptionOf(route),
  security: securityOf(route),
  parameters: parametersOf(route, schemas),
  ...requestBodyOf(route, schemas),
  responses: {
    [route.status ?? 200]: {
      description: 'Done.',
      ...headersOf(route),
      content: contentOf(route, schemas),
    },
    ...errorsOf(route, responses),
  },
})

const descriptionOf = (route: Route): string => {
  const topics = topicsOf(route.changes ?? [])
  return [
    route.description,
    `Who may call it: ${whoMayCall(route.access)} ${keyNeeds(route)}`.trim(),
    topics.length > 0 &&
      `Announced on \`GET /events\` as ${topics.map((topic) => `\`${topic}\``).join(', ')}.`,
    route.bodyLimitBytes !== undefined &&
      `The body may have up to ${Math.floor(route.bodyLimitBytes / 1_000_000)} MB.`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const requestBodyOf = (route: Route, schemas: Schemas) => {
  if (route.takesBytes) return { requestBody: { required: true, content: bytes } }
  if (!route.body) return {}
  const schema = schemas.of(route.body, 'input')
  const example = exampleOf(schema, schemas.components, route.name)
  return { requestBody: { required: true, content: { 'application/json': { schema, example } } } }
}

const bytes = {
  'application/octet-stream': {
    schema: { type: 'string', format: 'binary' },
    example: '(the bytes)',
  },
}

const contentOf = (route: Route, schemas: Schemas) => {
  if (route.contentType) return { [route.contentType]: inBytes(route, schemas) }
  const schema = schemas.of(route.output, 'output')
  const example = exampleOf(schema, schemas.components, `${route.name} answer`)
  return { 'application/json': { schema, example } }
}

const textExamples: Partial<Record<NonNullable<Route['contentType']>, string>> = {
  'text/event-stream':
    'data: {"topic":"domains","workspaceId":"0193a6b8-77aa-7e10-a1c9-5d3f2b8e6a90"}\n\n',
  'message/rfc822': 'From: Ada <ada@example.com>\r\nSubject: The tables are ready\r\n\r\nHello\r\n',
  'text/plain': 'example.com. 3600 IN MX 10 mail.example.net.\n',
}

const inBytes = ({ contentType, output }: Route, schemas: Schemas) => {
  const text = contentType && textExamples[contentType]
  // Of one event: client generators read streams so.
  if (contentType === 'text/event-stream')
    return { schema: schemas.of(output, 'output'), example: text }
  return text === undefined
    ? { schema: { type: 'string', format: 'binary' }, example: '(the bytes of the file)' }
    : { schema: { type: 'string' }, example: text }
}
