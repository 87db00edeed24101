/** Codes of authenticator apps (RFC 6238): six digits of SHA-1, a new one every 30 seconds, as all apps know them. Pure. */
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** RFC 6238 §5.2: a code that was typed while it changed, and a clock that is a little off. */
const STEPS_OFF = 1
/** RFC 4226 §4: the length of the hash. */
const SECRET_BYTES = 20

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: 'Mailstead',
    label,
    secret,
    ...{ algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS },
  })

/** For the QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** @returns the step that the code is of; null: it is not right */
export const stepOf = (secret: string, code: string, now: Date): number | null => {
  const timestamp = now.getTime()
  const off = totpOf(secret, '').validate({ token: code, timestamp, window: STEPS_OFF })
  return off === null ? null : Math.floor(timestamp / (PERIOD_SECONDS * 1000)) + off
}
