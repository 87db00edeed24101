/** The OpenAPI document as the page reads it. */
import { API_PREFIX } from '#contract/route.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example: unknown
}

type Content = Record<string, { schema: Schema; example?: unknown }>
export type Answer = { description: string; content?: Content }

export type Operation = {
  operationId: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  isOpen: boolean
  parameters: Parameter[]
  body: { mediaType: string; schema: Schema; example: unknown } | null
  answers: [status: string, answer: Answer][]
  /** The customer's server has it: a webhook posts this event, and `path` is its topic. */
  isEvent: boolean
}

export type Reference = {
  server: string
  groups: { name: string; description: string; operations: Operation[] }[]
  schemas: Record<string, Schema>
}

type Printed = {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, PrintedOperation>>
  webhooks: Record<string, Record<string, PrintedOperation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Answer>
  }
}
type PrintedOperation = Pick<Operation, 'operationId' | 'summary' | 'description'> & {
  tags: string[]
  security: object[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, Answer | { $ref: string }>
}

export const readReference = async (signal: AbortSignal): Promise<Reference> => {
  const answer = await fetch(`${API_PREFIX}/openapi.json`, { signal })
  if (!answer.ok) throw new Error('The description of the API could not be loaded.')
  return referenceOf((await answer.json()) as Printed)
}

const named = <T extends object>(given: T | { $ref: string }, all: Record<string, T>): T => {
  if (!('$ref' in given)) return given
  const found = all[String(given.$ref).split('/').at(-1) ?? '']
  if (!found) throw new Error(`The description of the API has no ${given.$ref}`)
  return found
}

const EVENTS = {
  name: 'Webhook events',
  description: 'What is posted to the webhooks of a workspace.',
}

const referenceOf = ({ servers, tags, paths, webhooks, components }: Printed): Reference => {
  const operations = operationsOf(paths, components)
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tag: group }) => group === tag.name),
  }))
  const events = operationsOf(webhooks, components).map((each) => ({
    ...each,
    ...{ tag: EVENTS.name, isEvent: true },
  }))
  return {
    ...{ server: servers[0]?.url ?? '', schemas: components.schemas },
    groups: [...groups, { ...EVENTS, operations: events }],
  }
}

const operationsOf = (paths: Printed['paths'], components: Printed['components']): Operation[] =>
  Object.entries(paths).flatMap(([path, of]) =>
    Object.entries(of).map(([method, { requestBody, ...printed }]): Operation => {
      const [body] = Object.entries(requestBody?.content ?? {})
      return {
        ...printed,
        ...{ path, method: method.toUpperCase(), tag: printed.tags[0] ?? '' },
        ...{ isOpen: printed.security.length === 0, isEvent: false },
        parameters: printed.parameters.map((each) => named(each, components.parameters)),
        body: body
          ? { mediaType: body[0], schema: body[1].schema, example: body[1].example }
          : null,
        answers: Object.entries(printed.responses).map(([status, answer]) => [
          status,
          named(answer, components.responses),
        ]),
      }
    }),
  )

/** Those in whose name, path or summary every word stands. */
export const matching = (groups: Reference['groups'], search: string): Reference['groups'] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const has = ({ operationId, method, path, summary, tag }: Operation) => {
    const text = `${operationId} ${method} ${path} ${summary} ${tag}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter(has) }))
    .filter(({ operations }) => operations.length > 0)
}

/** The schema behind a name, and the name. */
export const resolved = (
  schema: Schema,
  schemas: Reference['schemas'],
): [Schema, string | null] => {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? [schema, null] : [schemas[name] ?? {}, name]
}
