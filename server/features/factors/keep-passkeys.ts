/** The passkeys of a person: made by the browser, named, deleted (WebAuthn Level 3 §7.1). */
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { z } from 'zod'
import {
  MAX_PASSKEYS,
  type newPasskey,
  type Passkey,
  type passkeyOptions,
} from '#contract/account/passkeys.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { methodsOf } from './admission.ts'
import { beginChallenge, countBegun, readChallenge, spendChallenge } from './challenges.ts'
import {
  type FactorOwner,
  noteAddedFactor,
  noteRemovedFactor,
  type Person,
} from './change-factors.ts'
import {
  deletePasskeyRow,
  insertPasskey,
  lockFactors,
  type PasskeyRow,
  readPasskeys,
  updatePasskey,
} from './factors-store.ts'
import { canHavePasskeys, originOf, rpIdOf } from './relying-party.ts'

export const toPasskey = (app: App, row: PasskeyRow): Passkey => ({
  _id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  isBackedUp: row.isBackedUp,
  isUsable: row.rpId === rpIdOf(app),
})

/** @throws PASSKEYS_UNAVAILABLE, PASSKEY_LIMIT, TOO_MANY_REQUESTS */
export const beginPasskeyFor = async (
  app: App,
  { _id: userId, email, firstName }: Person,
): Promise<{ challenge: string; options: z.output<typeof passkeyOptions> }> => {
  if (!canHavePasskeys(app)) throw new AppError('PASSKEYS_UNAVAILABLE')
  const known = await readPasskeys(app.db, userId)
  if (known.length >= MAX_PASSKEYS) throw new AppError('PASSKEY_LIMIT')
  await countBegun(app, userId)
  const begun = await beginChallenge(app, app.db, { purpose: 'new-passkey', userId })
  const options = await generateRegistrationOptions({
    ...{ rpName: 'Mailstead', rpID: rpIdOf(app) },
    ...{ userName: email, userDisplayName: firstName, userID: bytesOf(userId) },
    challenge: Buffer.from(begun.passkeyChallenge, 'base64url'),
    supportedAlgorithmIDs: ALGORITHMS,
    // Discoverable and verifying who touches it: so it signs in by itself.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
  })
  return { challenge: begun.token, options: { ...options } }
}

/** EdDSA, ES256, RS256 (RFC 9053): every authenticator makes one of them. */
const ALGORITHMS = [-8, -7, -257]

const bytesOf = (id: string) => new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex'))

type Made = { challenge: string; name: string; passkey: z.output<typeof newPasskey> }

/** @throws SIGN_IN_EXPIRED, PASSKEY_REFUSED, PASSKEY_LIMIT */
export const keepPasskey = async (
  app: App,
  person: FactorOwner,
  { challenge: token, name, passkey }: Made,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> => {
  const challenge = await readChallenge(app, token, 'new-passkey')
  if (challenge.userId !== person._id) throw new AppError('SIGN_IN_EXPIRED')
  const { credential, ...info } = await verify(app, passkey, challenge.passkeyChallenge)
  return inTransaction(app, async (tx) => {
    await spendChallenge(tx, challenge)
    const isFirst = (await methodsOf(app, tx, person._id)) === null
    if ((await readPasskeys(tx, person._id)).length >= MAX_PASSKEYS)
      throw new AppError('PASSKEY_LIMIT')
    const now = app.clock.now()
    const row: PasskeyRow = {
      ...{ id: newId(now.getTime()), userId: person._id, name, rpId: rpIdOf(app) },
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: passkey.response.transports ?? [],
      isSynced: info.credentialDeviceType === 'multiDevice',
      isBackedUp: info.credentialBackedUp,
      ...{ createdAt: now, lastUsedAt: null },
    }
    if (!(await insertPasskey(tx, row))) throw new AppError('PASSKEY_REFUSED')
    const recoveryCodes = await noteAddedFactor(app, tx, person, 'passkey-added', isFirst)
    return { passkey: toPasskey(app, row), recoveryCodes }
  })
}

const verify = async (
  app: App,
  { response, ...made }: z.output<typeof newPasskey>,
  expectedChallenge: string,
) => {
  const { clientDataJSON, attestationObject } = response
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id: made.id, rawId: made.rawId, type: made.type },
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge,
      expectedOrigin: originOf(app),
      expectedRPID: rpIdOf(app),
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    })
    if (verified) return registrationInfo
  } catch (error) {
    app.log.info({ err: error }, 'a new passkey was refused')
  }
  throw new AppError('PASSKEY_REFUSED')
}

/** @throws NOT_EXISTS */
export const requirePasskey = async (app: App, userId: string, id: string): Promise<void> => {
  if (!(await readPasskeys(app.db, userId)).some((row) => row.id === id.toLowerCase()))
    throw new AppError('NOT_EXISTS')
}

/** @throws NOT_EXISTS */
export const renamePasskeyOf = async (
  app: App,
  userId: string,
  id: string,
  name: string,
): Promise<void> => {
  if (!isId(id) || !(await updatePasskey(app.db, userId, id, { name })))
    throw new AppError('NOT_EXISTS')
}

/** @throws NOT_EXISTS */
export const deletePasskeyOf = (app: App, person: Person, id: string): Promise<void> =>
  inTransaction(app, async (tx) => {
    await lockFactors(tx, person._id)
    if (!isId(id) || !(await deletePasskeyRow(tx, person._id, id))) throw new AppError('NOT_EXISTS')
    await noteRemovedFactor(app, tx, person, 'passkey-removed')
  })
