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

/** The refresh token: `{session}.{generation}.{HMAC of both}`. Only its hash is stored. */
export const refreshTokenFor = (app: App, sessionId: string, generation: number): string =>
  `${sessionId}.${generation}.${macOf(app, sessionId, generation).toString('base64url')}`

/** null when this installation did not make the token. */
export const readRefreshToken = (
  app: App,
  token: string,
): { sessionId: string; generation: number } | null => {
  const [sessionId = '', generationText = '', mac = ''] = token.split('.')
  if (!isId(sessionId) || !/^\d{1,9}$/.test(generationText)) return null
  const generation = Number(generationText)
  const isOurs = equalBytes(Buffer.from(mac, 'base64url'), macOf(app, sessionId, generation))
  // Written differently (leading zero, padding), it would have another hash.
  if (!isOurs || token !== refreshTokenFor(app, sessionId, generation)) return null
  return { sessionId, generation }
}

const macOf = (app: App, sessionId: string, generation: number): Buffer =>
  app.secrets.mac('refresh-token', sessionId, String(generation))
