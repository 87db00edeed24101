/** The bearer token: a short-lived JWT, HS256 and nothing else (RFC 9068 `at+jwt`). */
import { errors, jwtVerify, SignJWT } from 'jose'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'

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

/** @throws NO_AUTH_TOKEN, JWT_EXPIRED or INVALID_SIGNATURE as a 401 about the ACCESS token. */
export const readAccessToken = async (
  app: App,
  token: string,
): Promise<{ sessionId: string; userId: string }> => {
  try {
    const { payload } = await jwtVerify(token, app.secrets.keyFor('access-token'), {
      algorithms: ['HS256'],
      typ: 'at+jwt',
      issuer: app.config.publicUrl,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      currentDate: app.clock.now(),
    })
    if (typeof payload.sid !== 'string' || payload.sub === undefined) throw refused()
    return { sessionId: payload.sid, userId: payload.sub }
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
