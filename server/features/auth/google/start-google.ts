import * as openid from 'openid-client'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { googleClient, redirectUri } from './google-client.ts'
import { insertOauthStart } from './oauth-store.ts'

export const OAUTH_SECONDS = 600

/**
 * Where to send the browser. The start is bound to this browser by a cookie, so that nobody can make
 * another browser finish it (login CSRF).
 * @throws GOOGLE_NOT_SET_UP, OAUTH_FAILED
 */
export const startGoogle = async (
  app: App,
  knownBrowser: string | null,
): Promise<{ url: string; browserToken: string }> => {
  const client = await googleClient(app)
  const browserToken = knownBrowser ?? randomToken()
  const state = randomToken()
  const nonce = randomToken()
  const codeVerifier = openid.randomPKCECodeVerifier()
  await insertOauthStart(app.db, {
    stateHash: hashToken(state),
    browserHash: hashToken(browserToken),
    nonce,
    codeVerifier,
    expiresAt: secondsAfter(app.clock.now(), OAUTH_SECONDS),
  })
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri(app),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, browserToken }
}
