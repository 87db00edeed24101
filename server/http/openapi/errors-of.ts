/** The answers of an operation that are errors, by status, with the types that each may have. */

import { isDeepStrictEqual } from 'node:util'
import { recentSignInFor } from '#contract/account/recent-sign-in.ts'
import {
  commonErrors,
  type ErrorType,
  errorTypes,
  sentenceOf,
  sessionErrors,
  statusOf,
} from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import type { JsonSchema } from './json-schema.ts'
import { takesIdempotencyKey } from './parameters.ts'
import { errorHeadersOf } from './response-headers.ts'

const ERROR = { $ref: '#/components/schemas/ApiError' }
const PROBLEM = { $ref: '#/components/schemas/Problem' }

/** Written by hand, since `type` is every error of the contract. */
export const errorSchema = {
  type: 'object',
  description: 'Every answer that is no success has this form.',
  properties: {
    type: { type: 'string', enum: errorTypes, description: 'For programs.' },
    message: { type: 'string', description: 'For people.' },
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    path: { type: 'string', description: 'The path of the request.' },
    data: {
      type: 'object',
      additionalProperties: {},
      description: 'Of VALIDATION: a message for each field. Of INTERNAL: `requestId`.',
    },
    tokenType: {
      type: 'string',
      enum: ['ACCESS', 'REFRESH'],
      description: 'Of 401. ACCESS: renew the access token and try once more. REFRESH: sign in.',
    },
  },
  required: ['type', 'message', 'statusCode', 'path', 'data'],
} satisfies JsonSchema

const { properties } = errorSchema

/** RFC 9457: the same for a client that asks for `application/problem+json`. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description:
    'An error in the form of RFC 9457, for a client that names `application/problem+json` in `Accept`.',
  properties: {
    type: { type: 'string', description: '`urn:mailstead:error:` and the `code`.' },
    title: { type: 'string', description: 'The usual sentence of this error.' },
    status: properties.statusCode,
    detail: properties.message,
    instance: properties.path,
    code: properties.type,
    data: properties.data,
    tokenType: properties.tokenType,
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'data'],
}

/** A token that is not valid is a 401, a mailed link that is not valid a 400. */
const statusesOf = (type: ErrorType, route: Route): number[] => {
  if (type !== 'INVALID_SIGNATURE') return [statusOf(type)]
  const ofLink = route.errors.includes(type) ? [statusOf(type)] : []
  return route.access === 'anyone' ? ofLink : [...ofLink, 401]
}

const exampleFor = (type: ErrorType, status: number) => ({
  value: {
    ...{ type, message: sentenceOf(type), statusCode: status, path: '/api/v1/…' },
    data: type === 'VALIDATION' ? { email: 'Invalid email address' } : {},
    ...(status === 401 && { tokenType: 'ACCESS' }),
  },
})

/** The same, with the types that this answer may have. */
const narrowed = (types: readonly ErrorType[]) => ({
  type: 'object',
  properties: { type: { type: 'string', enum: types } },
  required: ['type'],
})

const responseFor = (status: number, types: readonly ErrorType[]) => ({
  description: types.map((type) => `\`${type}\`: ${sentenceOf(type)}`).join('. '),
  ...errorHeadersOf(status),
  content: {
    'application/json': {
      schema: { allOf: [ERROR, narrowed(types)] },
      examples: Object.fromEntries(types.map((type) => [type, exampleFor(type, status)])),
    },
    'application/problem+json': { schema: PROBLEM },
  },
})

/** Every answer that is an error, each once in the document, by what it may be. */
export type SharedResponses = Record<string, object>

const SESSION_ENDED = 'INVALID_KEY,INVALID_SIGNATURE,JWT_EXPIRED,NO_AUTH_TOKEN'

const inPascalCase = (type: ErrorType): string =>
  type.toLowerCase().replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** 'TooManyRequests', 'DomainExistsOrTrial'; of more than three types the name is that of the operation. */
const nameFor = (status: number, types: readonly ErrorType[], { name }: Route): string => {
  if (types.join() === SESSION_ENDED) return 'Unauthorized'
  return types.length <= 3
    ? types.map(inPascalCase).join('Or')
    : `${name.charAt(0).toUpperCase()}${name.slice(1)}${status}`
}

const mayAnswer = (type: ErrorType, route: Route): boolean => {
  if (route.access === 'anyone') return false
  if (type === 'STEP_UP_REQUIRED') return recentSignInFor(route) !== null
  return !type.startsWith('IDEMPOTENCY_') || takesIdempotencyKey(route)
}

export const errorsOf = (route: Route, shared: SharedResponses): Record<string, object> => {
  const types = new Set<ErrorType>([
    ...route.errors,
    ...commonErrors,
    ...sessionErrors.filter((type) => mayAnswer(type, route)),
  ])
  const byStatus = new Map<number, ErrorType[]>()
  for (const type of types)
    for (const status of statusesOf(type, route))
      byStatus.set(status, [...(byStatus.get(status) ?? []), type])
  return Object.fromEntries(
    [...byStatus].map(([status, unsorted]) => {
      const all = unsorted.toSorted()
      const response = responseFor(status, all)
      const known = Object.keys(shared).find((name) => isDeepStrictEqual(shared[name], response))
      const name = known ?? nameFor(status, all, route)
      shared[name] = response
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}
