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
