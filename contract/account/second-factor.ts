/** What proves a person beside the password: an authenticator app, recovery codes, trusted browsers (decision 116). */
import { z } from 'zod'
import { signedIn } from '../auth.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { passkey, passkeyAnswer, passkeyOptions } from './passkeys.ts'

export const RECOVERY_CODES = 10

/** How the second step of a sign-in can be done. */
export const factorMethod = z.enum(['totp', 'passkey', 'recovery-code'])
export type FactorMethod = z.infer<typeof factorMethod>

/** The data of SECOND_FACTOR_REQUIRED. */
export const askedFactor = z.object({
  methods: z.array(factorMethod),
  /** Names this sign-in in the second step; for five minutes, once. */
  challenge: z.string(),
  /** For the browser, where a passkey can be used. */
  passkey: passkeyOptions.nullable(),
})
export type AskedFactor = z.infer<typeof askedFactor>

const proof = {
  code: fields.oneTimeCode.optional(),
  recoveryCode: fields.recoveryCode.optional(),
  passkey: passkeyAnswer.optional(),
}
export const PROOF_WANTED = 'Please enter the code'

const trustedBrowser = z.object({
  _id: fields.id,
  browser: z.string(),
  ip: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export const secondFactor = z.object({
  /** When the authenticator app was set up; null: none. */
  totpSince: z.iso.datetime().nullable(),
  passkeys: z.array(passkey),
  /** false: PUBLIC_URL has no host name, so no browser offers passkeys. */
  passkeysWork: z.boolean(),
  recoveryCodesLeft: z.number().int(),
  trustedBrowsers: z.array(trustedBrowser),
})
export type SecondFactor = z.infer<typeof secondFactor>

/** With the first factor come recovery codes, shown this once; null: there are some already. */
export const newCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const getSecondFactor = route({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/second-factor',
  summary: 'The second factors of the caller',
  access: 'any-session',
  reads: ['factors'],
  output: secondFactor,
  errors: [],
})

export const beginTotp = route({
  name: 'beginTotp',
  method: 'POST',
  path: '/second-factor/totp/begin',
  summary: 'A new secret for an authenticator app; it counts once a code confirms it',
  access: 'any-session',
  changes: ['factors'],
  output: z.object({
    secret: z.string(),
    /** otpauth://, for a QR code. */
    uri: z.string(),
  }),
  errors: [],
})

export const confirmTotp = route({
  name: 'confirmTotp',
  method: 'POST',
  path: '/second-factor/totp',
  summary: 'Confirm the authenticator app by one of its codes',
  access: 'any-session',
  changes: ['factors'],
  body: z.strictObject({ code: fields.oneTimeCode }),
  output: newCodes,
  errors: ['SIGN_IN_EXPIRED'],
})

export const removeTotp = route({
  name: 'removeTotp',
  method: 'DELETE',
  path: '/second-factor/totp',
  summary: 'Remove the authenticator app; with the last factor go recovery codes and trust',
  access: 'any-session',
  changes: ['factors'],
  output: fields.confirmation,
  errors: [],
})

export const makeRecoveryCodes = route({
  name: 'makeRecoveryCodes',
  method: 'POST',
  path: '/second-factor/recovery-codes',
  summary: 'Make ten recovery codes anew; those from before end',
  access: 'any-session',
  changes: ['factors'],
  output: newCodes,
  errors: ['NOT_EXISTS'],
})

export const endTrustedBrowser = route({
  name: 'endTrustedBrowser',
  method: 'DELETE',
  path: '/second-factor/trusted-browsers/{id}',
  summary: 'End the trust in a browser: its next sign-in asks for the second factor',
  access: 'any-session',
  changes: ['factors'],
  params: z.object({ id: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const answerSecondFactor = route({
  name: 'answerSecondFactor',
  method: 'POST',
  path: '/auth/second-factor',
  summary: 'The second step of a sign-in that answered SECOND_FACTOR_REQUIRED: start the session',
  access: 'anyone',
  changes: ['session'],
  body: z.strictObject({
    challenge: fields.linkToken,
    ...proof,
    trustBrowser: z.boolean('Please say yes or no').optional(),
  }),
  output: signedIn,
  errors: ['SIGN_IN_EXPIRED', 'PASSKEY_REFUSED', 'INVALID_PASSWORD', 'MAILBOX_SUSPENDED'],
})

export const beginStepUp = route({
  name: 'beginStepUp',
  method: 'POST',
  path: '/auth/step-up/begin',
  summary: 'How the caller can confirm that it is them',
  access: 'any-session',
  changes: [],
  output: askedFactor.extend({
    /** Without a factor the password confirms. */
    methods: z.array(factorMethod.or(z.literal('password'))),
  }),
  errors: [],
})

export const stepUp = route({
  name: 'stepUp',
  method: 'POST',
  path: '/auth/step-up',
  summary: 'Confirm the session by a factor, or without one by the password, for 15 minutes',
  access: 'any-session',
  changes: [],
  body: z.strictObject({
    challenge: fields.linkToken.optional(),
    ...proof,
    password: fields.currentPassword.optional(),
  }),
  output: fields.confirmation,
  errors: ['SIGN_IN_EXPIRED', 'PASSKEY_REFUSED'],
})
