/** What a browser is asked for, and what its passkey answers (WebAuthn Level 3 §7.2). */
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { z } from 'zod'
import type { passkeyAnswer, passkeyOptions } from '#contract/account/passkeys.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { findPasskey, type PasskeyRow } from './factors-store.ts'
import { originOf, rpIdOf } from './relying-party.ts'

export type PasskeyAnswer = z.output<typeof passkeyAnswer>

/** With the password a touch is enough; a passkey alone must also verify who touches it. */
export type Verification = 'required' | 'preferred'

/** `allowed`: of one person; null: whichever passkey the person chooses. */
export const askForPasskey = async (
  app: App,
  passkeyChallenge: string,
  userVerification: Verification,
  allowed: readonly PasskeyRow[] | null,
): Promise<z.output<typeof passkeyOptions>> => ({
  ...(await generateAuthenticationOptions({
    ...{ rpID: rpIdOf(app), userVerification },
    challenge: Buffer.from(passkeyChallenge, 'base64url'),
    allowCredentials: (allowed ?? []).map(({ credentialId, transports }) => ({
      ...{ id: credentialId, transports },
    })),
  })),
})

export type CheckedPasskey = { passkey: PasskeyRow; counter: number; isBackedUp: boolean }

/** @throws PASSKEY_REFUSED, whatever is wrong */
export const checkPasskey = async (
  app: App,
  answer: PasskeyAnswer,
  asked: { passkeyChallenge: string; userVerification: Verification; userId: string | null },
): Promise<CheckedPasskey> => {
  const passkey = await findPasskey(app.db, answer.id)
  const isOfPerson = asked.userId === null || passkey?.userId === asked.userId
  if (passkey === undefined || !isOfPerson) throw new AppError('PASSKEY_REFUSED')
  const { verified, authenticationInfo: info } = await verify(app, answer, passkey, asked).catch(
    (error: unknown) => {
      app.log.info({ err: error, userId: passkey.userId }, 'a passkey was refused')
      throw new AppError('PASSKEY_REFUSED')
    },
  )
  if (!verified) throw new AppError('PASSKEY_REFUSED')
  return { passkey, counter: info.newCounter, isBackedUp: info.credentialBackedUp }
}

const verify = (
  app: App,
  { response, ...answer }: PasskeyAnswer,
  passkey: PasskeyRow,
  {
    passkeyChallenge,
    userVerification,
  }: { passkeyChallenge: string; userVerification: Verification },
) => {
  const { userHandle, ...signed } = response
  return verifyAuthenticationResponse({
    response: {
      ...{ id: answer.id, rawId: answer.rawId, type: answer.type },
      clientExtensionResults: {},
      response: { ...signed, ...(userHandle && { userHandle }) },
    },
    expectedChallenge: passkeyChallenge,
    expectedOrigin: originOf(app),
    expectedRPID: rpIdOf(app),
    requireUserVerification: userVerification === 'required',
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      // The copies of a synced passkey do not know each other's counters (WebAuthn Level 3 §6.1.1).
      counter: passkey.isSynced ? 0 : passkey.counter,
    },
  })
}
