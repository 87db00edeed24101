/**
 * Calls the endpoints of the contract. After a 401 about the access token it refreshes the token once, for all calls that wait
 * for it, and repeats the call once; nothing else is repeated.
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
import { ApiError, loggedOut, noAnswer } from './api-error.ts'

export const REQUEST_TIMEOUT_MS = 800_000

type Values = Record<string, unknown>
type AnyArguments = { params?: Values | undefined; query?: Values | undefined; body?: unknown }
type Sent = RequestInit & { bearer: boolean }
export type CallOptions = { signal?: AbortSignal; headers?: Record<string, string> }
type OpenOptions = CallOptions & { method?: string; body?: string | Blob }
/** `isForAnyone`: the path needs no token, so the request does not wait for one. */
type Openness = { isForAnyone?: boolean }

export type ClientSettings = {
  /** Origin of the API, without a path. */
  origin: string
  tokens: TokenStore
  /** Headers of every call. */
  headers?: () => Record<string, string>
  /** Whether the user has logged out in this browser: then the answer of a running refresh is discarded. */
  hasLeft?: () => boolean
  onRefreshed?: (answer: SignedIn) => void
  /** Called when the session cannot be renewed; the token is removed already. */
  onRefreshFailed?: (error: unknown) => void
  /** Called when the server asks whether it is still the person. Resolves to whether they said so: then the call is repeated. */
  onStepUp?: () => Promise<boolean>
  /** Called when the server refuses until the person has a second factor. */
  onFactorDue?: () => void
  /** Called after each request: whether the server answered it. */
  onAnswer?: (isAnswered: boolean) => void
}

export type Client = {
  call<R extends Route>(route: R, args: Arguments<R>, options?: CallOptions): Promise<Output<R>>
  /** Returns the response itself, for streams and downloads; throws like `call`. */
  open(path: string, options?: OpenOptions & Openness): Promise<Response>
  /** Renews the session; parallel calls share one request. */
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
  const isTooMany = response.status === 429
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  // A proxy before the server may limit requests too, with a body of its own.
  if (typeof body?.message !== 'string' && !isTooMany) return noAnswer()
  const known = {
    ...body,
    type: body?.type ?? (isTooMany ? 'TOO_MANY_REQUESTS' : 'UNKNOWN'),
    message: isTooMany ? 'Too many requests' : (body?.message ?? ''),
    statusCode: body?.statusCode ?? response.status,
    path: body?.path ?? 'unknown',
    data: body?.data ?? {},
  }
  return new ApiError(known, response.headers.get('retry-after'))
}

/** `read` is part of the request: the timeout covers both. */
const sendOf =
  (settings: ClientSettings) =>
  async <T>(path: string, init: Sent, read: (response: Response) => T | Promise<T>) => {
    const headers = new Headers(init.headers)
    const token = init.bearer ? settings.tokens.read() : null
    if (token) headers.set('authorization', `Bearer ${token}`)
    // A body of bytes sets its own type.
    if (typeof init.body === 'string') headers.set('content-type', 'application/json')
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_MS)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal
    try {
      const url = settings.origin + API_PREFIX + path
      const response = await fetch(url, { ...init, headers, signal, credentials: 'include' })
      if (!response.ok) throw await errorOf(response)
      settings.onAnswer?.(true)
      return await read(response)
    } catch (error) {
      // Aborted by the caller: rethrown as it is.
      if (!(error instanceof ApiError) && init.signal?.aborted) throw error
      const told = error instanceof ApiError ? error : noAnswer()
      settings.onAnswer?.(told.type !== 'NO_ANSWER')
      throw told
    } finally {
      clearTimeout(timer)
    }
  }

export function createClient(settings: ClientSettings): Client {
  const send = sendOf(settings)
  let refreshing: Promise<SignedIn> | null = null
  const renew = async (): Promise<SignedIn> => {
    const hadLeft = settings.hasLeft?.()
    const asked = send<SignedIn>(REFRESH_PATH, { method: 'POST', bearer: false }, json)
    // Read after the request has started, because reading the cookie takes time too.
    const tokenBefore = settings.tokens.read()
    try {
      const answer = await asked
      if (!hadLeft && settings.hasLeft?.()) throw loggedOut()
      settings.tokens.write(answer.token, answer.tokenExpiresIn)
      settings.onRefreshed?.(answer)
      return answer
    } catch (error) {
      const token = settings.tokens.read()
      // A user has logged in since: the refused session is not theirs.
      if (token !== null && token !== tokenBefore) throw error
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

  const request = async <T>(
    path: string,
    options: OpenOptions,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> => {
    const headers = { ...settings.headers?.(), ...options.headers }
    const attempt = () => send(path, { ...options, headers, bearer: true }, read)
    const usedToken = settings.tokens.read()
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof ApiError && error.type === 'STEP_UP_REQUIRED') {
        if (!(await settings.onStepUp?.())) throw error
        return attempt()
      }
      if (error instanceof ApiError && error.type === 'FACTOR_SET_UP_REQUIRED')
        settings.onFactorDue?.()
      const isAboutAccess = error instanceof ApiError && error.tokenType === 'ACCESS'
      if (!isAboutAccess || error.statusCode !== 401) throw error
      // Another call or tab may have renewed the token during this request.
      const token = settings.tokens.read()
      if (token === null || token === usedToken) await refresh()
      return attempt()
    }
  }

  /** Calls without a token are refused, so they wait for a refresh that is running. */
  const tokenOnItsWay = () =>
    // In this order, because reading the cookie blocks on another process.
    refreshing && settings.tokens.read() === null ? refreshing : null

  const open: Client['open'] = async (path, { isForAnyone = false, ...options } = {}) => {
    const token = isForAnyone ? null : tokenOnItsWay()
    if (token) await token
    return request(path, options, (answer) => answer)
  }

  const call: Client['call'] = async (route, args, options = {}) => {
    const token = route.access === 'anyone' ? null : tokenOnItsWay()
    // Waits for nothing else, so that the request of a click leaves before the next render.
    if (token) await token
    const given = args as AnyArguments
    const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) }
    return request(addressOf(route, given), { ...options, ...body, method: route.method }, json)
  }

  return { call, open, refresh }
}

const json = (response: Response) => response.json()
