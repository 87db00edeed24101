/** The authenticator app of a person: shown, confirmed by a code, removed. */
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import { HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { methodsOf } from './admission.ts'
import {
  type FactorOwner,
  noteAddedFactor,
  noteRemovedFactor,
  type Person,
} from './change-factors.ts'
import { findFactorRow, lockFactors, saveFactorRow } from './factors-store.ts'
import { newTotpSecret, stepOf, totpUri } from './totp.ts'

/** Time to find the phone. */
const PENDING_SECONDS = HOUR_SECONDS
const TRIES = { limit: 100, windowSeconds: HOUR_SECONDS }

/** The secret is answered this once, and counts once a code confirms it. */
export const beginTotpFor = async (
  app: App,
  { _id: userId, email }: Person,
): Promise<{ secret: string; uri: string }> => {
  const secret = newTotpSecret()
  const now = app.clock.now()
  const pendingSealed = app.secrets.encrypt(secret, `totp ${userId}`)
  await saveFactorRow(app.db, userId, { pendingSealed, pendingAt: now }, now)
  return { secret, uri: totpUri(secret, email) }
}

/** @returns recovery codes, with the first factor. @throws VALIDATION, SIGN_IN_EXPIRED, TOO_MANY_REQUESTS */
export const confirmTotpFor = async (
  app: App,
  person: FactorOwner,
  code: string,
): Promise<string[] | null> => {
  const userId = person._id
  await spendThrottle(app, `totp-set-up:${userId}`, TRIES)
  return inTransaction(app, async (tx) => {
    await lockFactors(tx, userId)
    const now = app.clock.now()
    const row = await findFactorRow(tx, userId)
    const { pendingSealed = null, pendingAt = null } = row ?? {}
    if (pendingSealed === null || pendingAt === null) throw new AppError('SIGN_IN_EXPIRED')
    if (secondsAfter(pendingAt, PENDING_SECONDS) <= now) throw new AppError('SIGN_IN_EXPIRED')
    const step = stepOf(app.secrets.decrypt(pendingSealed, `totp ${userId}`), code, now)
    if (step === null) throw invalidField('code', 'This code is not right')
    const set = { totpSealed: pendingSealed, totpSince: now, totpLastStep: step }
    const isFirst = (await methodsOf(app, tx, userId)) === null
    await saveFactorRow(tx, userId, { ...set, pendingSealed: null, pendingAt: null }, now)
    return noteAddedFactor(app, tx, person, 'totp-added', isFirst)
  })
}

/** Removing none is no error. */
export const removeTotpOf = (app: App, person: Person): Promise<void> =>
  inTransaction(app, async (tx) => {
    await lockFactors(tx, person._id)
    const now = app.clock.now()
    if ((await findFactorRow(tx, person._id))?.totpSince == null) return
    const none = { totpSealed: null, totpSince: null, totpLastStep: null }
    await saveFactorRow(tx, person._id, none, now)
    await noteRemovedFactor(app, tx, person, 'totp-removed')
  })
