/** Second factors, trusted browsers and what waits for them, in the database. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type {
  FactorChallengesTable,
  PasskeysTable,
  SecondFactorsTable,
  TrustedBrowsersTable,
} from '#server/storage/rows/factor-tables.ts'

export type FactorRow = Selectable<SecondFactorsTable>
export type PasskeyRow = Selectable<PasskeysTable>
export type Challenge = Selectable<FactorChallengesTable>

/** Changes of one person's factors, and proofs by them, run one after another: otherwise two wait for each other's rows. */
export const lockFactors = async (tx: Db, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`factors ${userId}`}, 0))`.execute(tx)
}

export const findFactorRow = (db: Db, userId: string): Promise<FactorRow | undefined> =>
  db.selectFrom('secondFactors').selectAll().where('userId', '=', userId).executeTakeFirst()

export const saveFactorRow = async (
  db: Db,
  userId: string,
  changes: Omit<Insertable<SecondFactorsTable>, 'userId' | 'changedAt'> & { changedAt?: Date },
  now: Date,
): Promise<void> => {
  await db
    .insertInto('secondFactors')
    .values({ userId, changedAt: now, ...changes })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
    .execute()
}

/** @returns false when it was noted before, also by another process. */
export const noteTold = async (db: Db, userId: string): Promise<boolean> => {
  const row = await db
    .updateTable('secondFactors')
    .set({ isProgramTold: true })
    .where('userId', '=', userId)
    .where('isProgramTold', '=', false)
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the step of a code. @returns false when this code, or a later one, was taken before. */
export const takeStep = async (db: Db, userId: string, step: number): Promise<boolean> => {
  const row = await db
    .updateTable('secondFactors')
    .set({ totpLastStep: step })
    .where('userId', '=', userId)
    .where((is) => is.or([is('totpLastStep', 'is', null), is('totpLastStep', '<', step)]))
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** Oldest first. */
export const readPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()

/** @returns false when it is somebody's already. */
export const insertPasskey = async (db: Db, row: Insertable<PasskeysTable>): Promise<boolean> => {
  const kept = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/** @returns false when the person has no such one. */
export const updatePasskey = async (
  db: Db,
  userId: string,
  id: string,
  changes: Updateable<PasskeysTable>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set(changes)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns false when the person has no such one. */
export const deletePasskeyRow = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const replaceRecoveryCodes = async (
  db: Db,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> => {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((codeHash) => ({ userId, codeHash, usedAt: null }))
  await db.insertInto('recoveryCodes').values(rows).execute()
}

export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const hasRecoveryCode = async (db: Db, userId: string, codeHash: Buffer): Promise<boolean> =>
  (await db
    .selectFrom('recoveryCodes')
    .select('userId')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()) !== undefined

/** @returns false when it was used meanwhile. */
export const takeRecoveryCode = async (
  db: Db,
  userId: string,
  codeHash: Buffer,
  usedAt: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('recoveryCodes')
    .set({ usedAt })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const insertTrust = async (db: Db, row: TrustedBrowsersTable): Promise<void> => {
  await db.insertInto('trustedBrowsers').values(row).execute()
}

/** Notes the use. @returns whether one of these tokens is trusted by the person. */
export const noteTrust = async (
  db: Db,
  userId: string,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<boolean> => {
  if (tokenHashes.length === 0) return false
  const row = await db
    .updateTable('trustedBrowsers')
    .set({ lastUsedAt: now })
    .where('userId', '=', userId)
    .where('tokenHash', 'in', [...tokenHashes])
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Latest use first. */
export const readTrust = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('trustedBrowsers')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('lastUsedAt', 'desc')
    .execute()

/** @returns false when the person trusts no such one. */
export const deleteTrust = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('trustedBrowsers')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** PostgreSQL, appendix A: what a row names is not there. */
const FOREIGN_KEY_VIOLATION = '23503'

/** @returns false when its account has ended meanwhile; the transaction, if there is one, has failed then. */
export const insertChallenge = async (db: Db, row: Challenge): Promise<boolean> => {
  try {
    await db.insertInto('factorChallenges').values(row).execute()
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

export const findChallenge = (
  db: Db,
  tokenHash: Buffer,
  purpose: Challenge['purpose'],
  now: Date,
): Promise<Challenge | undefined> =>
  db
    .selectFrom('factorChallenges')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** @returns false when it was taken meanwhile. */
export const takeChallenge = async (db: Db, tokenHash: Buffer): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('factorChallenges')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Trusted browsers, and sign-ins that wait for the second step. */
export const deleteTrustOf = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('trustedBrowsers').where('userId', '=', userId).execute()
  await db.deleteFrom('factorChallenges').where('userId', '=', userId).execute()
}

export const deleteFactorsOf = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('passkeys').where('userId', '=', userId).execute()
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await db.deleteFrom('secondFactors').where('userId', '=', userId).execute()
  await deleteTrustOf(db, userId)
}

/** Made for another host: they work no more. */
export const countForeignPasskeys = async (db: Db, rpId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('rpId', '!=', rpId)
    .executeTakeFirstOrThrow()
  return count
}

/** @returns whose factors were reset without their knowing; null: nobody's */
export const takeUntold = async (tx: Db): Promise<string | null> => {
  const row = await tx
    .selectFrom('secondFactors')
    .select('userId')
    .where('isResetUntold', '=', true)
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (row === undefined) return null
  await tx
    .updateTable('secondFactors')
    .set({ isResetUntold: false })
    .where('userId', '=', row.userId)
    .execute()
  return row.userId
}

export const purgeFactorRows = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('factorChallenges').where('expiresAt', '<', now).execute()
  await db.deleteFrom('trustedBrowsers').where('expiresAt', '<', now).execute()
}
