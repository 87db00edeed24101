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

/** What one of our own names has; undefined: it is not on the list. */
export const readOwnName = (db: Db, name: string) =>
  db
    .selectFrom('certificates')
    .select(['expiresAt', 'trouble'])
    .where('name', '=', name)
    .where('isOwn', '=', true)
    .executeTakeFirst()
