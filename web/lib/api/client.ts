/**
 * Calls the endpoints of the contract. A 401 about the access token is answered by one refresh,
 * shared by every call that waits for it, and one repetition of the call; nothing else is repeated.
 */
import type { SignedIn } from '#contract/auth.ts'
import type { ErrorBody } from '#contract/errors.ts'
import {
  API_PREFIX,
  type Arguments,
  type Output,
  REFRESH_PATH,
  type Route,
} from '#contract/route.ts'
import type { TokenStore } from './access-token.ts'
import { ApiError, noAnswer } from './api-error.ts'

export const REQUEST_TIMEOUT_MS = 800_000

type Values = Record<string, unknown>
type AnyArguments = { params?: Values; query?: Values; body?: unknown }
export type CallOptions = { signal?: AbortSignal; headers?: Record<string, string> }

export type ClientSettings = {
  /** Where the API is, without a path. */
  origin: string
  tokens: TokenStore
  /** Headers that every call carries. */
  headers?: () => Record<string, string>
  onRefreshed?: (answer: SignedIn) => void
  /** The session cannot be renewed; the token is already removed. */
  onRefreshFailed?: (error: unknown) => void
}

export type Client = {
  call<R extends Route>(route: R, args: Arguments<R>, options?: CallOptions): Promise<Output<R>>
  /** The bare answer, for streams and downloads; throws as `call` does. */
  open(path: string, options?: CallOptions & { method?: string; body?: string }): Promise<Response>
  /** Renews the session; calls at the same time share one. */
  refresh(): Promise<SignedIn>
}

export function addressOf(route: Pick<Route, 'path'>, args: AnyArguments): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(args.params?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args.query ?? {}))
    if (value !== undefined && value !== null) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  if (typeof body?.message !== 'string') return noAnswer()
  const isTooMany = response.status === 429
  return new ApiError({
    ...body,
    type: body.type ?? 'UNKNOWN',
    message: isTooMany ? 'Too many requests' : body.message,
    statusCode: body.statusCode ?? response.status,
    path: body.path ?? 'unknown',
    data: body.data ?? {},
  })
}

export function createClient(settings: ClientSettings): Client {
  const send = async (path: string, init: RequestInit & { bearer: boolean }) => {
    const headers = new Headers(init.headers)
    const token = init.bearer ? settings.tokens.read() : null
    if (token) headers.set('authorization', `Bearer ${token}`)
    if (init.body) headers.set('content-type', 'application/json')
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    let response: Response
    try {
      const url = settings.origin + API_PREFIX + path
      response = await fetch(url, { ...init, headers, signal, credentials: 'include' })
    } catch (error) {
      // Given up by the caller: not a failure to tell anybody about.
      if (init.signal?.aborted) throw error
      throw noAnswer()
    }
    if (!response.ok) throw await errorOf(response)
    return response
  }

  let refreshing: Promise<SignedIn> | null = null
  const renew = async (): Promise<SignedIn> => {
    try {
      const response = await send(REFRESH_PATH, { method: 'POST', bearer: false })
      const answer = (await response.json()) as SignedIn
      settings.tokens.write(answer.token, answer.tokenExpiresIn)
      settings.onRefreshed?.(answer)
      return answer
    } catch (error) {
      settings.tokens.remove()
      settings.onRefreshFailed?.(error)
      throw error
    } finally {
      refreshing = null
    }
  }
  const refresh = () => {
    refreshing ??= renew()
    return refreshing
  }

  const open: Client['open'] = async (path, options = {}) => {
    const headers = { ...settings.headers?.(), ...options.headers }
    const attempt = () => send(path, { ...options, headers, bearer: true })
    const usedToken = settings.tokens.read()
    try {
      return await attempt()
    } catch (error) {
      const isAboutAccess = error instanceof ApiError && error.tokenType === 'ACCESS'
      if (!isAboutAccess || error.statusCode !== 401) throw error
      // Another call or another tab may have renewed the token while this one was under way.
      const token = settings.tokens.read()
      if (token === null || token === usedToken) await refresh()
      return attempt()
    }
  }

  const call: Client['call'] = async (route, args, options = {}) => {
    const given = args as AnyArguments
    const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) }
    const address = addressOf(route, given)
    const response = await open(address, { ...options, ...body, method: route.method })
    return response.json().catch(() => {
      throw noAnswer()
    })
  }

  return { call, open, refresh }
}
