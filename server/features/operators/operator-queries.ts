import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { OperatorActionsTable } from '#server/storage/rows/operator-tables.ts'

export const operatorRows = (db: Db) =>
  db.selectFrom('operators').select(['userId', 'madeBy', 'madeAt'])

export const insertOperator = async (
  db: Db,
  operator: { userId: string; madeBy: string; madeAt: Date },
): Promise<void> => {
  await db
    .insertInto('operators')
    .values(operator)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute()
}

export const deleteOperator = async (db: Db, userId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('operators')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Forgets those that have run out: a start makes one while nobody has an account. */
export const insertOperatorLink = async (
  db: Db,
  link: { tokenHash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> => {
  await db.deleteFrom('operatorLinks').where('expiresAt', '<=', now).execute()
  await db.insertInto('operatorLinks').values(link).execute()
}

export const hasOperatorLink = async (db: Db, tokenHash: Buffer, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('operatorLinks')
    .select('tokenHash')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()) !== undefined

/** All of them: one operator is enough to make others. @returns whether this one was there */
export const spendOperatorLinks = async (
  tx: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<boolean> => {
  const spent = await tx.deleteFrom('operatorLinks').returning(['tokenHash', 'expiresAt']).execute()
  return spent.some((link) => link.tokenHash.equals(tokenHash) && link.expiresAt > now)
}

export const insertAction = async (
  db: Db,
  action: Insertable<OperatorActionsTable>,
): Promise<void> => {
  await db.insertInto('operatorActions').values(action).execute()
}

export type ActionRow = Selectable<OperatorActionsTable>

export const actionRows = (db: Db) => db.selectFrom('operatorActions').selectAll()
