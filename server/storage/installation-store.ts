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
