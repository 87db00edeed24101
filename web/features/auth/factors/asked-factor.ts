import type { AskedFactor } from '#contract/account/second-factor.ts'
import { ApiError } from '#web/lib/api/api-error.ts'

/** What a refused sign-in asks for; null: it was refused for another reason. */
export const askedFactorIn = (error: unknown): AskedFactor | null =>
  error instanceof ApiError && error.type === 'SECOND_FACTOR_REQUIRED'
    ? (error.data as AskedFactor)
    : null

/** History state for the login page: a sign-in that began on another page goes on there. */
export type LoginState = { asked?: AskedFactor; from?: unknown; email?: unknown } | null
