/** The cookies that the server sets or reads; no API call but those of /auth and /oauth reads one. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { OAUTH_SECONDS } from '#server/features/auth/google/start-google.ts'
import type { StartedSession } from '#server/features/auth/sessions/start-session.ts'
import { secondsAfter } from '#server/lib/clock.ts'

const AUTH_PATH = `${API_PREFIX}/auth`
const OAUTH_PATH = `${API_PREFIX}/oauth`
const REFRESH = 'mailstead_refresh'
const DEVICE = 'mailstead_device'
const OAUTH = 'mailstead_oauth'
/** Written by the web app (specification, section 9). */
const ACCESS = '_access_token'
/** Beside the refresh token, which pages do not get: whether there is one. */
const SESSION = 'mailstead_session'
const THEME = 'mailstead-theme'
const LINKED = 'mailstead_linked'
const DEVICE_SECONDS = 365 * 24 * 3600
/** The refresh cookie outlives its session, so that a session that ran out is told from one that never was. */
const REMEMBERED_SECONDS = 30 * 24 * 3600

/** A token of ours; anything else is as good as none. */
const tokenIn = (request: FastifyRequest, name: string): string | null => {
  const value = request.cookies[name]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null
}

export const refreshTokenOf = (request: FastifyRequest): string | null =>
  request.cookies[REFRESH] || null

export const deviceTokenOf = (request: FastifyRequest): string | null => tokenIn(request, DEVICE)

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

export const oauthBrowserOf = (request: FastifyRequest): string | null => tokenIn(request, OAUTH)

const options = (app: App, path: string) => ({
  path,
  httpOnly: true,
  secure: app.config.publicUrl.startsWith('https:'),
  sameSite: 'strict' as const,
})

export const setRefreshCookie = (
  app: App,
  reply: FastifyReply,
  token: string,
  sessionExpiresAt: Date,
): void => {
  const expires = secondsAfter(sessionExpiresAt, REMEMBERED_SECONDS)
  reply.setCookie(REFRESH, token, { ...options(app, AUTH_PATH), expires })
  reply.setCookie(SESSION, '1', { ...options(app, '/'), sameSite: 'lax', expires })
}

export const clearRefreshCookie = (app: App, reply: FastifyReply): void => {
  reply.clearCookie(REFRESH, options(app, AUTH_PATH))
  reply.clearCookie(SESSION, { ...options(app, '/'), sameSite: 'lax' })
}

export const setSessionCookies = (app: App, reply: FastifyReply, started: StartedSession): void => {
  setRefreshCookie(app, reply, started.refreshToken, started.expiresAt)
  reply.setCookie(DEVICE, started.deviceToken, {
    // Third-party sign-in, outside /auth, must find it too.
    ...options(app, API_PREFIX),
    maxAge: DEVICE_SECONDS,
  })
}

export const setOauthCookie = (app: App, reply: FastifyReply, browserToken: string): void => {
  // Lax: the browser comes back from another site just before it is read.
  reply.setCookie(OAUTH, browserToken, {
    ...options(app, OAUTH_PATH),
    sameSite: 'lax',
    maxAge: OAUTH_SECONDS,
  })
}
