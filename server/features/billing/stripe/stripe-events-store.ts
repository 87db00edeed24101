/** What Stripe told, each once. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { StripeEventsTable } from '#server/storage/rows/card-tables.ts'

export type EventRow = Selectable<StripeEventsTable>

/** One that is there already stays as it is. */
export const insertEvent = async (db: Db, event: Insertable<StripeEventsTable>): Promise<void> => {
  await db
    .insertInto('stripeEvents')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export const readWaitingEvents = (db: Db, now: Date): Promise<EventRow[]> =>
  db
    .selectFrom('stripeEvents')
    .selectAll()
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(100)
    .execute()

/** The one that came last. */
export const readLastEvent = (db: Db): Promise<Pick<EventRow, 'receivedAt'> | undefined> =>
  db
    .selectFrom('stripeEvents')
    .select('receivedAt')
    .orderBy('receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst()

export const isKept = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('stripeEvents').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined

export const setEvent = async (
  db: Db,
  id: string,
  state: Pick<EventRow, 'nextAt' | 'tries'>,
): Promise<void> => {
  await db.updateTable('stripeEvents').set(state).where('id', '=', id).execute()
}

export const deleteEvents = async (db: Db, receivedBefore: Date): Promise<void> => {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', receivedBefore)
    .where('nextAt', 'is', null)
    .execute()
}
