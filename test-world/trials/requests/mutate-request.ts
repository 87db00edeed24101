/** Makes requests from the OpenAPI document, and spoils them: each by its own seed, so that it can be made again. */

import { type JsonSchema, nameIn } from '#server/http/openapi/json-schema.ts'
import type { Chance } from '../seeded.ts'

export type Operation = {
  operationId: string
  method: string
  path: string
  parameters: { name: string; in: string; schema: JsonSchema; $ref?: string }[]
  requestBody?: { content: Record<string, { schema: JsonSchema; example: unknown }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>
}

/** What is there, by the name of a property or parameter; several of a name are tried in turn. */
export type Known = Record<string, unknown[]>

export type MutatedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

const strings = [
  '',
  ' ',
  '\0',
  'a\0b',
  'a\r\nb',
  '\u2028',
  '😀🏳️‍🌈',
  '\u202egnp.exe',
  "'; drop table users; --",
  '../../etc/passwd',
  '%00',
  'null',
  '-1',
  '1e999',
  'xn--',
  'ä'.repeat(60),
  'x'.repeat(300),
  'x'.repeat(5_000),
  '\ud800',
  '00000000-0000-0000-0000-000000000000',
  'ada@xn--zz-.example',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01',
]
const numbers = [0, -1, 1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 201]
const others: unknown[] = [null, true, false, [], {}, [[]], { a: 1 }, ...strings, ...numbers]

type Components = Record<string, JsonSchema>

const anyOf = <T>(chance: Chance, all: readonly T[]): T =>
  all[chance.between(0, all.length - 1)] as T
/** True once in so many times. */
const isOnce = (chance: Chance, times: number): boolean => chance.between(1, times) === 1

/** A value that the schema takes, as far as JSON Schema says what it takes. */
export const valueFor = (
  schema: JsonSchema,
  context: { chance: Chance; known: Known; components: Components },
  name = '',
): unknown => {
  const { chance, known, components } = context
  const target = nameIn(schema)
  if (target !== null) return valueFor(components[target] ?? {}, context, name)
  const there = known[name]
  if (there && schema.type !== 'object' && !isOnce(chance, 8)) return anyOf(chance, there)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return anyOf(chance, schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return valueFor(anyOf(chance, choices), context, name)
  if (schema.default !== undefined && isOnce(chance, 3)) return schema.default
  const type = Array.isArray(schema.type) ? anyOf(chance, schema.type) : schema.type
  if (type === 'object') return objectFor(schema, context)
  if (type === 'array') {
    const singular = name.replace(/ies$/, 'y').replace(/s$/, '')
    const length = Math.max(schema.minItems ?? 0, chance.between(0, 2))
    return Array.from({ length }, () => valueFor(schema.items ?? {}, context, singular))
  }
  if (type === 'boolean') return isOnce(chance, 2)
  if (type === 'integer' || type === 'number') return numberFor(schema, chance)
  return type === 'null' ? null : textFor(schema, chance)
}

const objectFor = (schema: JsonSchema, context: Parameters<typeof valueFor>[1]) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([key]) => schema.required?.includes(key) || !isOnce(context.chance, 3))
      .map(([key, property]) => [key, valueFor(property, context, key)]),
  )

const numberFor = ({ minimum = 0, maximum = 1_000 }: JsonSchema, chance: Chance): number =>
  anyOf(chance, [minimum, maximum, Math.floor((minimum + maximum) / 2), minimum + 1])

const textFor = ({ format, minLength = 0, maxLength = 40 }: JsonSchema, chance: Chance): string => {
  if (format === 'uuid') return `0193a6c0-2f1e-7c44-9d8b-${chance.between(1e11, 9e11)}`
  if (format === 'date-time') return '2099-01-01T00:00:00.000Z'
  if (format === 'date') return '2099-01-01'
  const length = anyOf(chance, [minLength, Math.min(maxLength, 2_000), minLength + 5])
  return 'Ada Lovelace writes tables, '.repeat(Math.ceil(length / 28)).slice(0, length)
}

/** Changes one place of a value: another type, a limit, a field less or more. */
const spoil = (value: unknown, chance: Chance): unknown => {
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isInner || isOnce(chance, 6)) return anyOf(chance, others)
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const key = anyOf(chance, Object.keys(copy))
  const how = chance.between(1, 7)
  if (how === 1) delete copy[key]
  else if (how === 2) copy[anyOf(chance, ['surprise', '_id', 'workspaceId', 'role'])] = 1
  else if (how === 3) copy[key] = deep(chance.between(2, 60))
  else if (how === 4) copy[key] = many(copy[key], chance)
  else copy[key] = spoil(copy[key], chance)
  return copy
}

/** A large value would become one that no request can hold. */
const many = (value: unknown, chance: Chance): unknown[] => {
  const most = typeof value === 'object' || String(value).length > 100 ? 5 : 1_200
  return Array.from({ length: chance.between(2, most) }, () => value)
}

const deep = (depth: number): unknown => {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value }
  return value
}

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  'application/octet-stream',
  'garbage',
]
const brokenJson = ['', '{', '[1,', 'undefined', '\ufeff{}', '{"a":1}{"b":2}', '{"__proto__":{}}']

const headersFor = (chance: Chance, known: Known): Record<string, string> => {
  const workspaces = [...(known.workspaceId ?? []), ...(known.foreign ?? []), 'x', ' ', '\u00e9']
  return {
    ...(isOnce(chance, 6) && { 'x-workspace-id': String(anyOf(chance, workspaces)) }),
    ...(isOnce(chance, 8) && {
      'idempotency-key': anyOf(chance, ['k1', 'k2', 'x'.repeat(201), '\u00e9', ' ']),
    }),
    ...(isOnce(chance, 20) && { authorization: anyOf(chance, ['Bearer x', 'Basic YTpi', '']) }),
    ...(isOnce(chance, 12) && {
      accept: anyOf(chance, ['application/xml', 'application/problem+json']),
    }),
    ...(isOnce(chance, 30) && { range: 'bytes=5-1' }),
    ...(isOnce(chance, 30) && { 'if-none-match': '*' }),
  }
}

const inPath = (value: unknown, chance: Chance, known: Known): string => {
  const wrong = [...(known.foreign ?? []), 'x', '%00', '%ff', "'%20or%201=1", 'x'.repeat(400), '-1']
  const text = isOnce(chance, 5) ? String(anyOf(chance, wrong)) : encodeURIComponent(String(value))
  return text === '' ? 'x' : text
}

/** One in three is not spoilt on purpose. */
export const mutateRequest = (
  operation: Operation,
  context: Parameters<typeof valueFor>[1],
): MutatedRequest => {
  const { chance, known } = context
  const isGood = isOnce(chance, 3)
  const of = (place: string) => operation.parameters.filter((each) => each.in === place)
  let path = operation.path
  for (const { name, schema } of of('path')) {
    const first = operation.path.split('/')[1] ?? ''
    const value = valueFor(schema, context, name === 'id' ? first : name)
    const text = isGood ? encodeURIComponent(String(value)) : inPath(value, chance, known)
    path = path.replace(`{${name}}`, () => text || 'x')
  }
  const query = new URLSearchParams()
  for (const { name, schema } of of('query')) {
    if (isOnce(chance, 2)) continue
    const value = valueFor(schema, context, name)
    query.append(name, String(isGood || isOnce(chance, 2) ? value : spoil(value, chance)))
    if (!isGood && isOnce(chance, 10)) query.append(name, 'again')
  }
  if (!isGood && isOnce(chance, 12)) query.append('surprise', '\0')
  const asked = query.size > 0 ? `${path}?${query}` : path
  const { body, ...rest } = bodyOf(operation, context, isGood)
  const headers = { ...rest.headers, ...(isGood ? {} : headersFor(chance, known)) }
  return { method: operation.method, path: asked, headers, body }
}

const bodyOf = (
  { method, requestBody }: Operation,
  context: Parameters<typeof valueFor>[1],
  isGood: boolean,
): Pick<MutatedRequest, 'body' | 'headers'> => {
  const { chance } = context
  const json = { 'content-type': 'application/json' }
  const content = requestBody?.content['application/json']
  if (requestBody && !content)
    return { headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from('From x') }
  if (!content)
    return !isGood && method !== 'GET' && isOnce(chance, 6)
      ? { headers: json, body: Buffer.from('{"a":1}') }
      : { headers: {}, body: null }
  let value = isOnce(chance, 3) ? content.example : valueFor(content.schema, context)
  for (let n = isGood ? 0 : chance.between(0, 3); n > 0; n--) value = spoil(value, chance)
  const text = !isGood && isOnce(chance, 15) ? anyOf(chance, brokenJson) : JSON.stringify(value)
  const type = !isGood && isOnce(chance, 15) ? anyOf(chance, contentTypes) : 'application/json'
  return { headers: { 'content-type': type }, body: Buffer.from(text ?? '') }
}
