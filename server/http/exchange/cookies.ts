/** The cookies that the server sets or reads. Of the API, only /auth and /oauth read them. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { OAUTH_SECONDS } from '#server/features/accounts/google-sign-in.ts'
import { pageTokenFor } from '#server/features/accounts/session-tokens.ts'
import type { StartedSession } from '#server/features/accounts/start-session.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { randomToken } from '#server/lib/secrets.ts'

/** The refresh token. Its path limits it while no `__Host-` prefix binds it to the host. */
const secret = {
  refresh: { name: 'mailstead_refresh', path: `${API_PREFIX}/auth` },
  // Shows pages and does nothing else.
  page: { name: 'mailstead_page', path: '/dashboard' },
  // Third-party sign-in, outside /auth, reads it too.
  device: { name: 'mailstead_device', path: API_PREFIX },
  oauth: { name: 'mailstead_oauth', path: `${API_PREFIX}/oauth` },
  // Several people may trust one browser.
  trust: { name: 'mailstead_trust', path: API_PREFIX },
} as const
/** Written by the web app (specification, section 9). */
const ACCESS = '_access_token'
/** Tells pages whether there is a refresh token, which they cannot read. */
const SESSION = 'mailstead_session'
const THEME = 'mailstead-theme'
const LINKED = 'mailstead_linked'
const DEVICE_SECONDS = 365 * DAY_SECONDS
/** The refresh cookie outlives its session, so that an expired session can be distinguished from none. */
const REMEMBERED_SECONDS = 30 * DAY_SECONDS

const isSecure = (app: App): boolean => app.config.publicUrl.startsWith('https:')

/** RFC 6265bis §4.1.3.2: neither another host of the domain nor an attacker on the network can set a cookie with this prefix. */
const bound = (app: App, { name, path }: (typeof secret)[keyof typeof secret]) =>
  isSecure(app) ? { name: `__Host-${name}`, path: '/' } : { name, path }

/** A token of ours; anything else counts as none. */
const tokenIn = (app: App, request: FastifyRequest, kind: 'device' | 'oauth'): string | null => {
  const value = request.cookies[bound(app, secret[kind]).name]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null
}

export const refreshTokenOf = (app: App, request: FastifyRequest): string | null =>
  request.cookies[bound(app, secret.refresh).name] || null

export const deviceTokenOf = (app: App, request: FastifyRequest): string | null =>
  tokenIn(app, request, 'device')

/** Most people whose accounts trust one browser. */
const MOST_TRUST = 5

export const trustTokensOf = (app: App, request: FastifyRequest): string[] =>
  (request.cookies[bound(app, secret.trust).name] ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, MOST_TRUST)

/** Beside those that the browser has. */
export const addTrustToken = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void => {
  const { name, path } = bound(app, secret.trust)
  const tokens = [token, ...trustTokensOf(app, request)].slice(0, MOST_TRUST)
  reply.setCookie(name, tokens.join('.'), { ...options(app, path), maxAge: DEVICE_SECONDS })
}

/** Of a browser whose access token has run out: `accessForPage`. */
export const pageTokenOf = (app: App, request: FastifyRequest): string | null =>
  request.cookies[bound(app, secret.page).name] || null

/**
 * The access token as the web app stores it, used only to draw a page. The page is for the holder of the
 * cookie, and opening it changes nothing.
 */
export const accessTokenOf = (request: FastifyRequest): string | null => {
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

/** Whether another site opened one of our pages since the browser started. */
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
  const page = pageTokenFor(app, token)
  for (const [kind, value] of [
    ['refresh', token],
    ['page', page],
  ] as const) {
    const { name, path } = bound(app, secret[kind])
    if (value !== null) reply.setCookie(name, value, { ...options(app, path), expires })
  }
  reply.setCookie(SESSION, '1', { ...options(app, '/'), sameSite: 'lax', expires })
}

export const clearRefreshCookie = (app: App, reply: FastifyReply): void => {
  for (const kind of ['refresh', 'page'] as const) {
    const { name, path } = bound(app, secret[kind])
    reply.clearCookie(name, options(app, path))
  }
  reply.clearCookie(SESSION, { ...options(app, '/'), sameSite: 'lax' })
}

export const setSessionCookies = (app: App, reply: FastifyReply, started: StartedSession): void => {
  setRefreshCookie(app, reply, started.refreshToken, started.expiresAt)
  setDeviceCookie(app, reply, started.deviceToken)
}

/** The token that identifies this browser: a sign-up's password takes effect only in its own browser. */
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
  // Lax: it is read directly after another site redirects the browser here.
  reply.setCookie(name, browserToken, {
    ...options(app, path),
    sameSite: 'lax',
    maxAge: OAUTH_SECONDS,
  })
}
