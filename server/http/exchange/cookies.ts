/** The cookies that the server sets or reads; no API call but those of /auth and /oauth reads one. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { OAUTH_SECONDS } from '#server/features/accounts/google-sign-in.ts'
import type { StartedSession } from '#server/features/accounts/start-session.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { randomToken } from '#server/lib/secrets.ts'

/** What proves who calls. The path is where it is sent while nothing binds it to the host. */
const secret = {
  refresh: { name: 'mailstead_refresh', path: `${API_PREFIX}/auth` },
  // Third-party sign-in, outside /auth, must find it too.
  device: { name: 'mailstead_device', path: API_PREFIX },
  oauth: { name: 'mailstead_oauth', path: `${API_PREFIX}/oauth` },
} as const
/** Written by the web app (specification, section 9). */
const ACCESS = '_access_token'
/** Beside the refresh token, which pages do not get: whether there is one. */
const SESSION = 'mailstead_session'
const THEME = 'mailstead-theme'
const LINKED = 'mailstead_linked'
const DEVICE_SECONDS = 365 * 24 * 3600
/** The refresh cookie outlives its session, so that a session that ran out is told from one that never was. */
const REMEMBERED_SECONDS = 30 * 24 * 3600

const isSecure = (app: App): boolean => app.config.publicUrl.startsWith('https:')

/** RFC 6265bis §4.1.3.2: no other host of the domain, and nobody on the way, can set a cookie of such a name. */
const bound = (app: App, { name, path }: (typeof secret)[keyof typeof secret]) =>
  isSecure(app) ? { name: `__Host-${name}`, path: '/' } : { name, path }

/** A token of ours; anything else is as good as none. */
const tokenIn = (app: App, request: FastifyRequest, kind: 'device' | 'oauth'): string | null => {
  const value = request.cookies[bound(app, secret[kind]).name]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null
}

export const refreshTokenOf = (app: App, request: FastifyRequest): string | null =>
  request.cookies[bound(app, secret.refresh).name] || null

export const deviceTokenOf = (app: App, request: FastifyRequest): string | null =>
  tokenIn(app, request, 'device')

/**
 * The access token as the web app keeps it: for drawing a page and nothing else. The page is for whoever holds the
 * cookie, and opening it changes nothing.
 */
export const pageTokenOf = (request: FastifyRequest): string | null => {
  try {
    const record: unknown = JSON.parse(request.cookies[ACCESS] ?? '')
    if (typeof record !== 'object' || record === null || !('token' in record)) return null
    return typeof record.token === 'string' ? record.token : null
  } catch {
    return null
  }
}

export const hasSession = (request: FastifyRequest): boolean =>
  request.cookies[SESSION] !== undefined || request.cookies[ACCESS] !== undefined

export const themeOf = (request: FastifyRequest): 'light' | 'dark' | null => {
  const theme = request.cookies[THEME]
  return theme === 'light' || theme === 'dark' ? theme : null
}

/** Whether a page of ours was opened from elsewhere since the browser was started. */
export const wasLinked = (request: FastifyRequest): boolean => request.cookies[LINKED] !== undefined

export const noteLinked = (app: App, reply: FastifyReply): void => {
  reply.setCookie(LINKED, '1', { ...options(app, '/'), sameSite: 'lax' })
}

export const oauthBrowserOf = (app: App, request: FastifyRequest): string | null =>
  tokenIn(app, request, 'oauth')

const options = (app: App, path: string) => ({
  path,
  httpOnly: true,
  secure: isSecure(app),
  sameSite: 'strict' as const,
})

export const setRefreshCookie = (
  app: App,
  reply: FastifyReply,
  token: string,
  sessionExpiresAt: Date,
): void => {
  const expires = secondsAfter(sessionExpiresAt, REMEMBERED_SECONDS)
  const { name, path } = bound(app, secret.refresh)
  reply.setCookie(name, token, { ...options(app, path), expires })
  reply.setCookie(SESSION, '1', { ...options(app, '/'), sameSite: 'lax', expires })
}

export const clearRefreshCookie = (app: App, reply: FastifyReply): void => {
  const { name, path } = bound(app, secret.refresh)
  reply.clearCookie(name, options(app, path))
  reply.clearCookie(SESSION, { ...options(app, '/'), sameSite: 'lax' })
}

export const setSessionCookies = (app: App, reply: FastifyReply, started: StartedSession): void => {
  setRefreshCookie(app, reply, started.refreshToken, started.expiresAt)
  setDeviceCookie(app, reply, started.deviceToken)
}

/** The token by which this browser is known from now on: a sign-up takes effect with its own password in it alone. */
export const keepDeviceToken = (app: App, request: FastifyRequest, reply: FastifyReply): string => {
  const token = deviceTokenOf(app, request) ?? randomToken()
  setDeviceCookie(app, reply, token)
  return token
}

const setDeviceCookie = (app: App, reply: FastifyReply, token: string): void => {
  const { name, path } = bound(app, secret.device)
  reply.setCookie(name, token, { ...options(app, path), maxAge: DEVICE_SECONDS })
}

export const setOauthCookie = (app: App, reply: FastifyReply, browserToken: string): void => {
  const { name, path } = bound(app, secret.oauth)
  // Lax: the browser comes back from another site just before it is read.
  reply.setCookie(name, browserToken, {
    ...options(app, path),
    sameSite: 'lax',
    maxAge: OAUTH_SECONDS,
  })
}
