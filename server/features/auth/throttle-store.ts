import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

type Window = { count: number; windowEndsAt: Date }

/** Adds one to the count, starting a new window when the old one is over; one atomic statement. */
export const addToThrottle = (
  db: Db,
  key: string,
  now: Date,
  windowEndsAt: Date,
): Promise<Window> =>
  db
    .insertInto('throttles')
    .values({ key, count: 1, windowEndsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        count: sql<number>`case when ${eb.ref('throttles.windowEndsAt')} <= ${now} then 1
          else ${eb.ref('throttles.count')} + 1 end`,
        windowEndsAt: sql<Date>`case when ${eb.ref('throttles.windowEndsAt')} <= ${now}
          then ${windowEndsAt} else ${eb.ref('throttles.windowEndsAt')} end`,
      })),
    )
    .returning(['count', 'windowEndsAt'])
    .executeTakeFirstOrThrow()

export const takeFromThrottle = async (db: Db, key: string): Promise<void> => {
  await db
    .updateTable('throttles')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()
}

export const clearThrottle = async (db: Db, key: string): Promise<void> => {
  await db.deleteFrom('throttles').where('key', '=', key).execute()
}

export const purgeThrottles = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('throttles').where('windowEndsAt', '<', now).execute()
}
