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

const MOST_NEEDED = 1_000

/** What should have a certificate: our own names first, then those of customers that the directory refused at the last order. */
export const readNeeded = (db: Db) =>
  db
    .selectFrom('certificates')
    .select(['name', 'isOwn', 'issuedAt', 'expiresAt', 'createdAt', 'trouble'])
    .where('revocation', 'is', null)
    .where((of) => of.or([of('isOwn', '=', true), of('failures', '>', 0)]))
    .orderBy('isOwn', 'desc')
    .orderBy('name')
    .limit(MOST_NEEDED)
    .execute()

/** What one of our own names has; undefined: it is not on the list. */
export const readOwnName = (db: Db, name: string) =>
  db
    .selectFrom('certificates')
    .select(['expiresAt', 'trouble'])
    .where('name', '=', name)
    .where('isOwn', '=', true)
    .executeTakeFirst()
