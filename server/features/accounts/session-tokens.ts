/** The bearer token: a short-lived JWT, HS256 and nothing else (RFC 9068 `at+jwt`) (decision 004). */
import { errors, jwtVerify, SignJWT } from 'jose'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { equalBytes } from '#server/lib/secrets.ts'

export const ACCESS_TOKEN_SECONDS = 600
const AUDIENCE = 'mailstead-api'

export const signAccessToken = (
  app: App,
  session: { id: string; userId: string },
): Promise<string> => {
  const now = app.clock.now()
  return new SignJWT({ sid: session.id })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(app.config.publicUrl)
    .setAudience(AUDIENCE)
    .setSubject(session.userId)
    .setJti(newId(now.getTime()))
    .setIssuedAt(now)
    .setExpirationTime(secondsAfter(now, ACCESS_TOKEN_SECONDS))
    .sign(app.secrets.keyFor('access-token'))
}

type Holder = { sessionId: string; userId: string; expiresAt: Date }

/** @throws NO_AUTH_TOKEN, JWT_EXPIRED or INVALID_SIGNATURE as a 401 about the ACCESS token. */
export const readAccessToken = async (app: App, token: string): Promise<Holder> => {
  const { accessTokens } = app.caches
  const holder = accessTokens.get(token)
  if (holder !== undefined && app.clock.now() < holder.expiresAt) return holder
  const checked = await checkAccessToken(app, token)
  accessTokens.set(token, checked)
  return checked
}

const checkAccessToken = async (app: App, token: string): Promise<Holder> => {
  try {
    const { payload } = await jwtVerify(token, app.secrets.keyFor('access-token'), {
      algorithms: ['HS256'],
      typ: 'at+jwt',
      issuer: app.config.publicUrl,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      currentDate: app.clock.now(),
    })
    const { sid, sub, exp } = payload
    if (typeof sid !== 'string' || sub === undefined || exp === undefined) throw refused()
    return { sessionId: sid, userId: sub, expiresAt: new Date(exp * 1000) }
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new AppError('JWT_EXPIRED', { tokenType: 'ACCESS' })
    throw refused()
  }
}

const refused = () =>
  new AppError('INVALID_SIGNATURE', {
    tokenType: 'ACCESS',
    message: 'This access token is not valid',
  })

/** Absolute: rotation does not prolong it. */
export const SESSION_SECONDS = 30 * DAY_SECONDS

/** `{session}.{generation}.{HMAC of both}`, of a kind of its own each. */
type Kind = 'refresh-token' | 'page-token'
type SessionAt = { sessionId: string; generation: number }

/** Renews its session once. Only its hash is stored. */
export const refreshTokenFor = (app: App, sessionId: string, generation: number): string =>
  tokenFor(app, 'refresh-token', { sessionId, generation })

/** null when this installation did not make the token. */
export const readRefreshToken = (app: App, token: string): SessionAt | null =>
  readToken(app, 'refresh-token', token)

/** Shows pages of the session of this refresh token, until it is spent. null: it is not ours. */
export const pageTokenFor = (app: App, refreshToken: string): string | null => {
  const at = readRefreshToken(app, refreshToken)
  return at && tokenFor(app, 'page-token', at)
}

export const readPageToken = (app: App, token: string): SessionAt | null =>
  readToken(app, 'page-token', token)

const tokenFor = (app: App, kind: Kind, { sessionId, generation }: SessionAt): string =>
  `${sessionId}.${generation}.${macOf(app, kind, sessionId, generation).toString('base64url')}`

const readToken = (app: App, kind: Kind, token: string): SessionAt | null => {
  const [sessionId = '', generationText = '', mac = ''] = token.split('.')
  if (!isId(sessionId) || !/^\d{1,9}$/.test(generationText)) return null
  const generation = Number(generationText)
  const isOurs = equalBytes(Buffer.from(mac, 'base64url'), macOf(app, kind, sessionId, generation))
  // Written differently (leading zero, padding), it would have another hash.
  if (!isOurs || token !== tokenFor(app, kind, { sessionId, generation })) return null
  return { sessionId, generation }
}

const macOf = (app: App, kind: Kind, sessionId: string, generation: number): Buffer =>
  app.secrets.mac(kind, sessionId, String(generation))
