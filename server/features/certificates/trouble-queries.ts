import type { Db } from '#server/storage/database.ts'

/** How many names the directory refused at the last order. */
export const countInTrouble = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('certificates')
    .where('failures', '>', 0)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
