/** OpenID Connect with GOOGLE_ISSUER: its endpoints and keys, discovered once and kept for an hour. */
import * as openid from 'openid-client'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'

const KEPT_MS = 3_600_000
const TIMEOUT_SECONDS = 10

type Known = { found: Promise<openid.Configuration>; at: number }
const known = new Map<string, Known>()

/** @throws GOOGLE_NOT_SET_UP; OAUTH_FAILED when the issuer does not answer. */
export const googleClient = async (app: App): Promise<openid.Configuration> => {
  const { google } = app.config
  if (google === null) throw new AppError('GOOGLE_NOT_SET_UP')
  const key = JSON.stringify(google)
  const now = app.clock.now().getTime()
  const kept = known.get(key)
  const found = kept && now - kept.at < KEPT_MS ? kept.found : discover(app, google)
  known.set(key, { found, at: kept?.found === found ? kept.at : now })
  try {
    return await found
  } catch (error) {
    known.delete(key)
    app.log.warn({ err: error }, 'the sign-in issuer was not reached')
    throw new AppError('OAUTH_FAILED')
  }
}

export const redirectUri = (app: App): string => `${app.config.publicUrl}/google-login`

const discover = (
  app: App,
  google: NonNullable<App['config']['google']>,
): Promise<openid.Configuration> => {
  const issuer = new URL(google.issuer)
  return openid.discovery(
    issuer,
    google.clientId,
    undefined,
    google.clientSecret === null ? openid.None() : openid.ClientSecretPost(google.clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // The signature of an ID token is looked at, though TLS brought it.
        openid.enableNonRepudiationChecks,
        // Never over the open network: only an issuer on this very machine may do without TLS.
        ...(isOnThisMachine(app, issuer) ? [openid.allowInsecureRequests] : []),
      ],
    },
  )
}

const isOnThisMachine = (app: App, issuer: URL): boolean =>
  (app.config.isLocal || app.config.allowLoopbackPeers) &&
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(issuer.hostname)
