/** Passkeys of a person: each a second factor, and a sign-in of its own (WebAuthn Level 3; decision 116). */
import { z } from 'zod'
import { signedIn } from '../auth.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const MAX_PASSKEYS = 20

export const passkey = z.object({
  _id: fields.id,
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** null: never since it was made. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** Its provider keeps a copy, so it outlives the device. */
  isBackedUp: z.boolean(),
  /** false: it was made for another address of this installation, and works no more. */
  isUsable: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

/** The options that WebAuthn's JSON functions of a browser take. */
export const passkeyOptions = z.record(z.string(), z.unknown())

export const begunPasskey = z.object({ challenge: z.string(), options: passkeyOptions })

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]*={0,2}$/, fields.INVALID_INPUT)
    .max(max)

const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
}

/** What a passkey answers to a sign-in, as browsers write it in JSON. */
export const passkeyAnswer = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(2000),
    userHandle: bytes(200).nullish(),
  }),
})

/** What a new passkey answers. */
export const newPasskey = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z.array(fields.line(30)).max(10).optional(),
    /** Said by the attestation too, which alone is read. */
    authenticatorData: bytes(4000).optional(),
    publicKey: bytes(4000).optional(),
    publicKeyAlgorithm: z.number().optional(),
  }),
})

const params = z.object({ id: z.string() })

export const beginPasskey = route({
  name: 'beginPasskey',
  method: 'POST',
  path: '/passkeys/begin',
  summary: 'What the browser needs to make a passkey',
  access: 'any-session',
  changes: ['factors'],
  output: begunPasskey,
  errors: ['PASSKEYS_UNAVAILABLE', 'PASSKEY_LIMIT'],
})

export const addPasskey = route({
  name: 'addPasskey',
  method: 'POST',
  path: '/passkeys',
  summary: 'Keep a passkey that the browser made',
  access: 'any-session',
  changes: ['factors'],
  body: z.strictObject({
    challenge: fields.linkToken,
    name: fields.passkeyName,
    passkey: newPasskey,
  }),
  output: z.object({ passkey, recoveryCodes: z.array(z.string()).nullable() }),
  errors: ['SIGN_IN_EXPIRED', 'PASSKEY_REFUSED', 'PASSKEY_LIMIT'],
  status: 201,
})

export const renamePasskey = route({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/passkeys/{id}',
  summary: 'Rename a passkey of the caller',
  access: 'any-session',
  changes: ['factors'],
  params,
  body: z.strictObject({ name: fields.passkeyName }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const deletePasskey = route({
  name: 'deletePasskey',
  method: 'DELETE',
  path: '/passkeys/{id}',
  summary: 'Delete a passkey of the caller; with the last factor go recovery codes and trust',
  access: 'any-session',
  changes: ['factors'],
  params,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const beginPasskeySignIn = route({
  name: 'beginPasskeySignIn',
  method: 'POST',
  path: '/auth/passkey/begin',
  summary: 'What the browser needs to sign in by a passkey',
  access: 'anyone',
  changes: [],
  output: begunPasskey,
  errors: ['PASSKEYS_UNAVAILABLE'],
})

export const signInByPasskey = route({
  name: 'signInByPasskey',
  method: 'POST',
  path: '/auth/passkey',
  summary: 'Start a session by a passkey, without a password',
  access: 'anyone',
  changes: ['session'],
  body: z.strictObject({ challenge: fields.linkToken, passkey: passkeyAnswer }),
  output: signedIn,
  errors: ['SIGN_IN_EXPIRED', 'PASSKEY_REFUSED', 'MAILBOX_SUSPENDED'],
})
