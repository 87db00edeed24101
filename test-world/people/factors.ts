/** Second factors of a person, set up by the API as the pages do it. */
import { TOTP } from 'otpauth'
import type { ApiClient } from '../api-client.ts'
import type { Authenticator } from './authenticator.ts'

type Headers = Record<string, string>

export type App = { clock: { now(): Date } }

/** The code that the app shows now. */
export const codeOf = (app: App, secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() })

/** A code that is not right now. */
export const wrongCode = (app: App, secret: string, nth = 1): string =>
  String((Number(codeOf(app, secret)) + 7 * nth) % 1_000_000).padStart(6, '0')

/** `headers`: of a session that has just signed in. */
export const setUpTotp = async (
  app: App,
  client: ApiClient,
  headers: Headers,
): Promise<{ secret: string; recoveryCodes: string[] | null }> => {
  const begun = await client.call('POST', '/second-factor/totp/begin', undefined, headers)
  const { secret } = begun.body
  const code = codeOf(app, secret)
  const { status, body } = await client.call('POST', '/second-factor/totp', { code }, headers)
  if (status !== 200) throw new Error(`the code was answered ${status}: ${JSON.stringify(body)}`)
  return { secret, recoveryCodes: body.recoveryCodes }
}

export const setUpPasskey = async (
  client: ApiClient,
  headers: Headers,
  authenticator: Authenticator,
  name = 'Phone',
): Promise<{ passkey: { _id: string }; recoveryCodes: string[] | null }> => {
  const { body: begun } = await client.call('POST', '/passkeys/begin', undefined, headers)
  const passkey = authenticator.make(begun.options)
  const form = { challenge: begun.challenge, name, passkey }
  const { status, body } = await client.call('POST', '/passkeys', form, headers)
  if (status !== 201) throw new Error(`the passkey was answered ${status}: ${JSON.stringify(body)}`)
  return body
}
