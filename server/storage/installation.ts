/** Facts about the whole installation. */
import type { Db } from './database.ts'

/** Stores the value if there is none, and returns the stored one. */
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

/** Those of these keys that are there. */
export const recallAll = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('installation')
    .select(['key', 'value'])
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** In place of what was there; null: nothing. */
export const remember = async (db: Db, key: string, value: string | null): Promise<void> => {
  if (value === null) {
    await db.deleteFrom('installation').where('key', '=', key).execute()
    return
  }
  await db
    .insertInto('installation')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Locks until the end of the transaction, so that two starts do not decide at once. Needs the row `id`. */
export const lockInstallation = async (tx: Db): Promise<void> => {
  await tx.selectFrom('installation').select('key').where('key', '=', 'id').forUpdate().execute()
}
