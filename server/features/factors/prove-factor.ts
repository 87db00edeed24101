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
  type Try,
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

/**
 * A code has a million values: 100 an hour find one in a year. From all networks together, and half of them for browsers that the
 * person signed in with before: whoever has the password alone keeps nobody out of those (decision 129).
 */
const PER_ACCOUNT: Limit = { limit: 50, windowSeconds: HOUR_SECONDS }
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
  /** A browser that the person signed in with before, or a session of theirs. */
  isKnown: boolean
}

/** @throws VALIDATION, PASSKEY_REFUSED, TOO_MANY_REQUESTS */
export const proveFactor = async (
  app: App,
  { code, recoveryCode, passkey }: Proof,
  { userId, passkeyChallenge, userVerification, isKnown }: Asked,
  ip: string,
): Promise<Proven> => {
  if (passkey !== undefined && passkeyChallenge !== null)
    return byPasskey(app, passkey, { userId, passkeyChallenge, userVerification }, ip)
  if (userId === null) throw invalidField('code', PROOF_WANTED)
  const tries = codeTries(userId, isKnown, ip)
  if (code !== undefined) return byCode(app, userId, code, tries)
  if (recoveryCode !== undefined) return byRecoveryCode(app, userId, recoveryCode, tries)
  throw invalidField('code', PROOF_WANTED)
}

const byCode = async (
  app: App,
  userId: string,
  code: string,
  tries: readonly Try[],
): Promise<Proven> => {
  const keys = await requireTries(app, tries)
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
  tries: readonly Try[],
): Promise<Proven> => {
  const keys = await requireTries(app, tries)
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
  asked: Omit<Asked, 'isKnown'> & { passkeyChallenge: string },
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
const codeTries = (userId: string, isKnown: boolean, ip: string): Try[] => [
  { key: `factor-codes${isKnown ? '-of-known' : ''}:${userId}`, limit: PER_ACCOUNT },
  ...networkTries('factor-codes', ip, PER_NETWORK),
]

const requireTries = async (app: App, tries: readonly Try[]): Promise<string[]> => {
  const { waitSeconds, keys } = await tryThrottles(app, tries)
  if (waitSeconds > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  return keys
}
