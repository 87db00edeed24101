import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type {
  OperatorActionsTable,
  OperatorReceiptsTable,
} from '#server/storage/rows/operator-tables.ts'

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

export const insertReceipt = async (
  db: Db,
  receipt: Insertable<OperatorReceiptsTable>,
): Promise<void> => {
  await db.insertInto('operatorReceipts').values(receipt).execute()
}

export type ReceiptRow = Selectable<OperatorReceiptsTable>

/** The next one that nobody was told. Others leave it alone until the transaction ends. */
export const takeReceipt = (tx: Db): Promise<ReceiptRow | undefined> =>
  tx
    .updateTable('operatorReceipts')
    .set({ isMailed: true })
    .where('id', '=', (of) =>
      of
        .selectFrom('operatorReceipts')
        .select('id')
        .where('isMailed', '=', false)
        .orderBy('at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
export const actionRows = (db: Db) => db.selectFrom('operatorActions').selectAll()
