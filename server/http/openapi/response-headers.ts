/** What answers tell in headers, to programs. */
import { pay } from '#contract/billing.ts'
import { keyUse } from '#contract/developers/scopes.ts'
import type { Route } from '#contract/route.ts'
import { takesIdempotencyKey } from './parameters.ts'

export const sharedHeaders = {
  RateLimitPolicy: {
    description:
      'With an API key: each limit by its name, with its quota and its window in seconds.',
    schema: { type: 'string' },
    example: '"key";q=600;w=60, "workspace";q=1200;w=60',
  },
  RateLimit: {
    description:
      'With an API key: of each limit, the requests that are left, and in how many seconds all are back.',
    schema: { type: 'string' },
    example: '"key";r=599;t=1, "workspace";r=1199;t=1',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  IdempotencyReplayed: {
    description:
      'Nothing was done this time: this is the answer to the first request with this Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const shared = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` })

const limits = { 'RateLimit-Policy': shared('RateLimitPolicy'), RateLimit: shared('RateLimit') }

/** Of an answer that is no error. */
export const headersOf = (route: Route): { headers?: object } => {
  const use = keyUse(route)
  const takesKey = use !== 'open' && 'scopes' in use
  const repeats = takesIdempotencyKey(route) && route.name !== pay.name
  if (!takesKey && !repeats) return {}
  return {
    headers: {
      ...(takesKey && limits),
      ...(repeats && { 'Idempotency-Replayed': shared('IdempotencyReplayed') }),
    },
  }
}

/** Of an error: operations share them, so those of open ones name the limits of keys too. */
export const errorHeadersOf = (status: number): { headers?: object } => {
  const wait = { 'Retry-After': shared('RetryAfter') }
  if (status === 429) return { headers: { ...wait, ...limits } }
  return status === 503 ? { headers: wait } : {}
}
