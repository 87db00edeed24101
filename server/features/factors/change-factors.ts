/** What every change of a person's second factors does besides: recovery codes with the first one, no trust, a mail. */

import { RECOVERY_CODES } from '#contract/account/second-factor.ts'
import type { User } from '#contract/auth.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { endingButton } from '#server/features/outbox/ending-link.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { afterCommit, inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { methodsOf } from './admission.ts'
import { type ChangedFactor, factorChangedMail } from './factor-mails.ts'
import {
  countRecoveryCodes,
  deleteTrustOf,
  lockFactors,
  noteTold,
  replaceRecoveryCodes,
  saveFactorRow,
} from './factors-store.ts'
import { hashRecoveryCode, newRecoveryCode } from './recovery-code-text.ts'

/** `sessionId`: in which they change it. */
export type Person = Pick<User, '_id' | 'email' | 'firstName'> & { sessionId: string }

/** `endOthers`: ends every other session of theirs. Sessions belong to `accounts`, which stands above this. */
export type FactorOwner = Person & { endOthers: (tx: Db) => Promise<unknown> }

/** @returns the codes, which are stored as hashes */
const storeNewCodes = async (tx: Db, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.flatMap((code) => hashRecoveryCode(code) ?? []),
  )
  return codes
}

/**
 * Call after the change, in its transaction. The other sessions began without the first factor, and one may be a stranger's: they end.
 * @returns recovery codes, when this was the first factor
 */
export const noteAddedFactor = async (
  app: App,
  tx: Db,
  person: FactorOwner,
  change: ChangedFactor,
  isFirst: boolean,
): Promise<string[] | null> => {
  if (isFirst) await person.endOthers(tx)
  const codes =
    isFirst || (await countRecoveryCodes(tx, person._id)) === 0
      ? await storeNewCodes(tx, person._id)
      : null
  await noteChange(app, tx, person, change, isFirst)
  return codes
}

/** Call after the change, in its transaction: without any factor the recovery codes are of no use. */
export const noteRemovedFactor = async (
  app: App,
  tx: Db,
  person: Person,
  change: ChangedFactor,
): Promise<void> => {
  if ((await methodsOf(app, tx, person._id)) === null)
    await replaceRecoveryCodes(tx, person._id, [])
  await noteChange(app, tx, person, change)
}

const noteChange = async (
  app: App,
  tx: Db,
  person: Person,
  change: ChangedFactor,
  isFirst = false,
): Promise<void> => {
  const now = app.clock.now()
  await saveFactorRow(tx, person._id, { changedAt: now, isProgramTold: false }, now)
  await deleteTrustOf(tx, person._id)
  // Mail programs with the own password have to leave.
  await announceSessionsEnded(tx)
  const button = endingButton(app, person.sessionId)
  const mail = factorChangedMail(person.firstName, change, button, { isFirst })
  await sendSystemMail(app, tx, { to: person.email, ...mail, link: null })
  const event = { userId: person._id, email: person.email, change }
  afterCommit(tx, () => app.logEvent('second-factor-changed', event))
}

/** Ten codes; those from before end. @throws NOT_EXISTS without a factor */
export const makeRecoveryCodesAnew = (app: App, person: Person): Promise<string[]> =>
  inTransaction(app, async (tx) => {
    await lockFactors(tx, person._id)
    if ((await methodsOf(app, tx, person._id)) === null) throw new AppError('NOT_EXISTS')
    const codes = await storeNewCodes(tx, person._id)
    await noteChange(app, tx, person, 'recovery-codes-made')
    return codes
  })

/** A code of a person was used in, or for, a session: they are told how many are left. */
export const tellOfRecoveryCode = async (app: App, tx: Db, person: Person): Promise<void> => {
  const left = await countRecoveryCodes(tx, person._id)
  const button = endingButton(app, person.sessionId)
  const mail = factorChangedMail(person.firstName, 'recovery-code-used', button, { left })
  await sendSystemMail(app, tx, { to: person.email, ...mail, link: null })
}

/** Whether a mail still has to say that mail programs need an app password: once after each change of the factors. */
export const noteProgramTold = (tx: Db, userId: string): Promise<boolean> => noteTold(tx, userId)
