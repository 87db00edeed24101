/** The error of a failed call: the body of the server's answer, or one of our own without an answer. */
import type { ErrorBody } from '#contract/errors.ts'

export class ApiError extends Error {
  readonly type: string
  readonly statusCode: number
  readonly path: string
  readonly data: Record<string, unknown>
  readonly tokenType: 'ACCESS' | 'REFRESH' | undefined
  /** Wait that the server asks for; 0: none. */
  readonly retryAfterSeconds: number

  constructor(body: ErrorBody, retryAfter: string | null = null) {
    super(body.message)
    this.name = 'ApiError'
    this.type = body.type
    this.statusCode = body.statusCode
    this.path = body.path
    this.data = body.data
    this.tokenType = body.tokenType
    this.retryAfterSeconds = secondsIn(retryAfter)
  }
}

/** Seconds of a Retry-After header, which has seconds or a date (RFC 9110, 10.2.3). */
function secondsIn(retryAfter: string | null): number {
  const seconds = Number(retryAfter)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  return Math.max(0, Math.ceil((Date.parse(retryAfter ?? '') - Date.now()) / 1000)) || 0
}

/** The server could not be reached, or something else answered. */
export const noAnswer = (): ApiError =>
  new ApiError({
    type: 'NO_ANSWER',
    message: 'Something went wrong',
    statusCode: 500,
    path: 'unknown',
    data: {},
  })

/** The user logged out while the session was being renewed. */
export const LOGGED_OUT = 'LOGGED_OUT'
export const loggedOut = (): ApiError =>
  new ApiError({
    type: 'REFRESH',
    message: LOGGED_OUT,
    statusCode: 401,
    path: 'unknown',
    data: {},
    tokenType: 'REFRESH',
  })

/** An error whose message is a sentence for the user. */
export class UserFacingError extends Error {}

/** The sentence to show for anything that was thrown. */
export const messageOf = (error: unknown): string => {
  if (error instanceof UserFacingError) return error.message
  if (!(error instanceof ApiError)) return 'Something went wrong'
  // The message of a REFRESH error is a code.
  return error.type === 'REFRESH' ? 'Your session has been expired' : error.message
}
