/** Facts about the installation as a whole. */
import type { Db } from './database.ts'

/** Stores the value unless there is one, and answers the one that stands. */
export const rememberOnce = async (db: Db, key: string, value: string): Promise<string> => {
  await db
    .insertInto('installation')
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return row.value
}

export const recall = async (db: Db, key: string): Promise<string | null> => {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value ?? null
}

/** Until the transaction ends: two starts do not decide at once. The installation has an id by then. */
export const lockInstallation = async (tx: Db): Promise<void> => {
  await tx.selectFrom('installation').select('key').where('key', '=', 'id').forUpdate().execute()
}
