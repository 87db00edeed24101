/**
 * Which failures of a call are temporary, so that the call is repeated. One rule for drafts, sending and uploads
 * (decision 031).
 */
import { ApiError } from './api-error.ts'

/** offline: no answer; busy: an error of the server; limited: too many requests. */
export type Passing = { why: 'offline' | 'busy' | 'limited'; afterSeconds: number }

/** Returns null for a failure that lasts until something changes. */
export function passing(error: unknown): Passing | null {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { why: 'offline', afterSeconds: 0 }
  if (!(error instanceof ApiError)) return null
  const afterSeconds = error.retryAfterSeconds
  if (error.type === 'NO_ANSWER') return { why: 'offline', afterSeconds }
  if (error.statusCode === 429) return { why: 'limited', afterSeconds }
  return error.statusCode >= 500 ? { why: 'busy', afterSeconds } : null
}
