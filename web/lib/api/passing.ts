/**
 * Which failures of a call pass by themselves, so that the call is made again. One rule for drafts, sending and uploads
 * (decision 031).
 */
import { ApiError } from './api-error.ts'

/** offline: no answer; busy: the server is in trouble; limited: it asks for a wait. */
export type Passing = { why: 'offline' | 'busy' | 'limited'; afterSeconds: number }

/** null for what stays so until something changes. */
export function passing(error: unknown): Passing | null {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { why: 'offline', afterSeconds: 0 }
  if (!(error instanceof ApiError)) return null
  const afterSeconds = error.retryAfterSeconds
  if (error.type === 'NO_ANSWER') return { why: 'offline', afterSeconds }
  if (error.statusCode === 429) return { why: 'limited', afterSeconds }
  return error.statusCode >= 500 ? { why: 'busy', afterSeconds } : null
}
