/** Passkeys of this browser: whether it has any, and what people read when it makes or uses none. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { z } from 'zod'
import type { newPasskey, passkeyAnswer } from '#contract/account/passkeys.ts'
import { UserFacingError } from '#web/lib/api/api-error.ts'

const loadLibrary = () => import('@simplewebauthn/browser')

/** Browsers offer none without TLS, nor for an address of numbers. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname)

/** Options as the server writes them. */
type Options = Record<string, unknown>

const sentences: Record<string, string> = {
  InvalidStateError: 'This device has a passkey of yours already',
  NotAllowedError: 'No passkey was used. Please try again',
  SecurityError: 'This browser allows no passkeys at this address',
}

const inWords = (error: unknown): never => {
  const name = error instanceof Error ? error.name : ''
  throw new UserFacingError(sentences[name] ?? 'The passkey could not be used. Please try again')
}

export const makeBrowserPasskey = async (options: Options): Promise<z.input<typeof newPasskey>> => {
  const { startRegistration } = await loadLibrary()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch(inWords)
  notePasskey()
  return { id, rawId, type, response }
}

/** `isOffered`: the browser lists passkeys at the field for the e-mail, and waits until somebody chooses one. */
export const askBrowserPasskey = async (
  options: Options,
  { isOffered = false } = {},
): Promise<z.input<typeof passkeyAnswer>> => {
  const { startAuthentication } = await loadLibrary()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const asked = startAuthentication({ optionsJSON, useBrowserAutofill: isOffered })
  const { id, rawId, type, response } = await asked.catch(inWords)
  notePasskey()
  return { id, rawId, type, response }
}

/** Whether a passkey was made or used in this browser: only there the login page offers them at its field. */
const HINT = 'mailstead-passkey'
const notePasskey = (): void => {
  try {
    localStorage.setItem(HINT, '1')
  } catch {
    // Storage is blocked: the button works still, and nothing is offered at the field.
  }
}

export const hasUsedPasskeys = (): boolean => {
  try {
    return canUsePasskeys() && localStorage.getItem(HINT) !== null
  } catch {
    return false
  }
}

export const mayOfferPasskeys = async (): Promise<boolean> => {
  if (!hasUsedPasskeys()) return false
  return (await loadLibrary()).browserSupportsWebAuthnAutofill()
}
