/** The refresh token: `{session}.{generation}.{HMAC of both}`. Only its hash is stored. */
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import { equalBytes } from '#server/lib/secrets.ts'

/** Absolute: rotation does not prolong it. */
export const SESSION_SECONDS = 30 * 24 * 3600

export const refreshTokenFor = (app: App, sessionId: string, generation: number): string =>
  `${sessionId}.${generation}.${macOf(app, sessionId, generation).toString('base64url')}`

/** null when we never made this token. */
export const readRefreshToken = (
  app: App,
  token: string,
): { sessionId: string; generation: number } | null => {
  const [sessionId = '', generationText = '', mac = ''] = token.split('.')
  if (!isId(sessionId) || !/^\d{1,9}$/.test(generationText)) return null
  const generation = Number(generationText)
  const isOurs = equalBytes(Buffer.from(mac, 'base64url'), macOf(app, sessionId, generation))
  // Written another way (leading zero, padding), it would have another hash.
  if (!isOurs || token !== refreshTokenFor(app, sessionId, generation)) return null
  return { sessionId, generation }
}

const macOf = (app: App, sessionId: string, generation: number): Buffer =>
  app.secrets.mac('refresh-token', sessionId, String(generation))
