import * as openid from 'openid-client'
import type { z } from 'zod'
import type { googleReturn } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { accountFor, type GooglePerson, googleClient, redirectUri } from './google-client.ts'
import { insertOauthStart, type OauthStart, takeOauthStart } from './oauth-store.ts'
import {
  type Client,
  logSignedIn,
  logSignedUp,
  logSignInFailed,
  requireStarted,
  type StartedSession,
  startSession,
} from './start-session.ts'

export const OAUTH_SECONDS = 600

/**
 * Returns the URL to send the browser to. A cookie binds the start to this browser, so that an attacker cannot make
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

/**
 * Finishes what this browser started, once.
 * @throws OAUTH_FAILED, GOOGLE_NOT_SET_UP, SIGN_UP_CLOSED, SECOND_FACTOR_REQUIRED
 */
export const finishGoogle = async (
  app: App,
  query: z.output<typeof googleReturn>,
  browserToken: string | null,
  client: Client,
): Promise<StartedSession> => {
  const found: Found = { email: '' }
  try {
    return await finish(app, query, browserToken, client, found)
  } catch (error) {
    if (error instanceof AppError && error.type !== 'SECOND_FACTOR_REQUIRED')
      logSignInFailed(app, client, found.email, 'google')
    throw error
  }
}

/** Called with the person's claims as soon as they are known. */
type Found = { email: string }

const finish = async (
  app: App,
  query: z.output<typeof googleReturn>,
  browserToken: string | null,
  client: Client,
  found: Found,
): Promise<StartedSession> => {
  const issuer = await googleClient(app)
  if (query.state === undefined || browserToken === null) throw new AppError('OAUTH_FAILED')
  const start = await takeOauthStart(app.db, hashToken(query.state), hashToken(browserToken))
  if (!start || start.expiresAt <= app.clock.now()) throw new AppError('OAUTH_FAILED')
  const person = await exchangeCode(app, issuer, query, query.state, start)
  found.email = person.email ?? ''
  const { entered, isFirst } = await inTransaction(app, async (tx) => {
    const user = await accountFor(app, tx, person)
    const isFirst = user.lastLoginAt === null
    return { entered: await startSession(app, tx, user, client, 'google'), isFirst }
  })
  const started = requireStarted(entered)
  if (isFirst) logSignedUp(app, started.answer.user, client.ip)
  logSignedIn(app, started, client, 'google')
  return started
}

/** The issuer's answer, checked: signature, iss, aud, exp, nonce, state, PKCE. */
const exchangeCode = async (
  app: App,
  issuer: openid.Configuration,
  query: z.output<typeof googleReturn>,
  state: string,
  start: OauthStart,
): Promise<GooglePerson> => {
  const address = new URL(redirectUri(app))
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, value)
  try {
    const tokens = await openid.authorizationCodeGrant(issuer, address, {
      expectedState: state,
      expectedNonce: start.nonce,
      pkceCodeVerifier: start.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('no ID token')
    // Some issuers put the address only here; the subject must be the same.
    const all =
      claims.email === undefined && issuer.serverMetadata().userinfo_endpoint
        ? { ...claims, ...(await openid.fetchUserInfo(issuer, tokens.access_token, claims.sub)) }
        : claims
    return toPerson(claims.iss, claims.sub, all)
  } catch (error) {
    app.log.info({ err: error }, 'third-party sign-in refused')
    throw new AppError('OAUTH_FAILED')
  }
}

const toPerson = (
  issuer: string,
  subject: string,
  claims: Record<string, unknown>,
): GooglePerson => {
  const text = (name: string) => {
    const value = claims[name]
    // Names are displayed and mailed: one line, bounded length.
    return typeof value === 'string'
      ? value
          .replace(/\p{C}+/gu, ' ')
          .trim()
          .slice(0, 100)
      : ''
  }
  const email = claims.email
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: claims.email_verified === true,
    firstName: text('given_name') || text('name') || 'New',
    lastName: text('family_name'),
  }
}
