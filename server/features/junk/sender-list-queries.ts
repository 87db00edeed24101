/** The senders and networks that operators block or allow, also for the room that changes them. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { ListedSendersTable } from '#server/storage/rows/operator-tables.ts'

export type ListedRow = Selectable<ListedSendersTable>

/** Those that have not ended. */
export const listedRows = (db: Db, now: Date) =>
  db
    .selectFrom('listedSenders')
    .selectAll()
    .where(({ or, eb }) => or([eb('endsAt', 'is', null), eb('endsAt', '>', now)]))

/** One that is listed is changed, and keeps its id. */
export const keepListed = (db: Db, listed: Insertable<ListedSendersTable>): Promise<ListedRow> => {
  const { id: _, ...changed } = listed
  return db
    .insertInto('listedSenders')
    .values(listed)
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const removeListed = (db: Db, id: string): Promise<ListedRow | undefined> =>
  db.deleteFrom('listedSenders').where('id', '=', id).returningAll().executeTakeFirst()

export const deleteEndedListed = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('listedSenders').where('endsAt', '<=', now).execute()
}
