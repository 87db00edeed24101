/**
 * Checks what a person shows as their second factor. Each proof is good once: `spend` takes it in the transaction that it opens
 * something in.
 */

import { PROOF_WANTED } from '#contract/account/second-factor.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import {
  type Limit,
  networkTries,
  refundThrottles,
  tryThrottles,
} from '#server/features/limits/throttle.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import { checkPasskey, type PasskeyAnswer, type Verification } from './check-passkey.ts'
import {
  findFactorRow,
  hasRecoveryCode,
  takeRecoveryCode,
  takeStep,
  updatePasskey,
} from './factors-store.ts'
import { hashRecoveryCode } from './recovery-code-text.ts'
import { stepOf } from './totp.ts'

/** A code has a million values: 100 an hour find one in a year. From all networks together. */
const PER_ACCOUNT: Limit = { limit: 100, windowSeconds: HOUR_SECONDS }
const PER_NETWORK: Limit = { limit: 300, windowSeconds: HOUR_SECONDS }

const WRONG_CODE = 'This code is not right'
const USED_CODE = 'This code was used already. Please wait for the next one'

export type Proof = {
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: PasskeyAnswer | undefined
}

/** Made by `proveFactor` alone. */
export type Proven = {
  userId: string
  by: 'totp' | 'recovery-code' | 'passkey'
  /** @throws VALIDATION when another request took the same proof */
  spend(tx: Db): Promise<void>
}

type Asked = {
  userId: string | null
  passkeyChallenge: string | null
  userVerification: Verification
}

/** @throws VALIDATION, PASSKEY_REFUSED, TOO_MANY_REQUESTS */
export const proveFactor = async (
  app: App,
  { code, recoveryCode, passkey }: Proof,
  { userId, passkeyChallenge, userVerification }: Asked,
  ip: string,
): Promise<Proven> => {
  if (passkey !== undefined && passkeyChallenge !== null)
    return byPasskey(app, passkey, { userId, passkeyChallenge, userVerification }, ip)
  if (userId === null) throw invalidField('code', PROOF_WANTED)
  if (code !== undefined) return byCode(app, userId, code, ip)
  if (recoveryCode !== undefined) return byRecoveryCode(app, userId, recoveryCode, ip)
  throw invalidField('code', PROOF_WANTED)
}

const byCode = async (app: App, userId: string, code: string, ip: string): Promise<Proven> => {
  const keys = await countTry(app, userId, ip)
  const row = await findFactorRow(app.db, userId)
  const sealed = row?.totpSealed ?? null
  const step =
    sealed === null
      ? null
      : stepOf(app.secrets.decrypt(sealed, `totp ${userId}`), code, app.clock.now())
  if (step === null) throw invalidField('code', WRONG_CODE)
  await refundThrottles(app, keys)
  const spend = async (tx: Db) => {
    if (!(await takeStep(tx, userId, step))) throw invalidField('code', USED_CODE)
  }
  return { userId, by: 'totp', spend }
}

const byRecoveryCode = async (
  app: App,
  userId: string,
  typed: string,
  ip: string,
): Promise<Proven> => {
  const keys = await countTry(app, userId, ip)
  const hash = hashRecoveryCode(typed)
  if (hash === null || !(await hasRecoveryCode(app.db, userId, hash)))
    throw invalidField('recoveryCode', WRONG_CODE)
  await refundThrottles(app, keys)
  const spend = async (tx: Db) => {
    if (!(await takeRecoveryCode(tx, userId, hash, app.clock.now())))
      throw invalidField('recoveryCode', WRONG_CODE)
  }
  return { userId, by: 'recovery-code', spend }
}

const byPasskey = async (
  app: App,
  answer: PasskeyAnswer,
  asked: { userId: string | null; passkeyChallenge: string; userVerification: Verification },
  ip: string,
): Promise<Proven> => {
  await requireTries(app, networkTries('passkeys', ip, PER_NETWORK))
  const { passkey, counter, isBackedUp } = await checkPasskey(app, answer, asked)
  const { userId, id } = passkey
  const spend = async (tx: Db) => {
    const used = { counter, isBackedUp, lastUsedAt: app.clock.now() }
    if (!(await updatePasskey(tx, userId, id, used))) throw new AppError('PASSKEY_REFUSED')
  }
  return { userId, by: 'passkey', spend }
}

/** Counted before the code is checked, so that concurrent guesses count too. */
const countTry = (app: App, userId: string, ip: string): Promise<string[]> =>
  requireTries(app, [
    { key: `factor-codes:${userId}`, limit: PER_ACCOUNT },
    ...networkTries('factor-codes', ip, PER_NETWORK),
  ])

const requireTries = async (
  app: App,
  tries: Parameters<typeof tryThrottles>[1],
): Promise<string[]> => {
  const { waitSeconds, keys } = await tryThrottles(app, tries)
  if (waitSeconds > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  return keys
}
