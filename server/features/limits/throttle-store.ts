import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** Reads only: a refusal writes nothing. */
export const findWindows = (db: Db, keys: readonly string[], now: Date) =>
  db
    .selectFrom('throttles')
    .selectAll()
    .where('key', 'in', keys)
    .where('windowEndsAt', '>', now)
    .execute()

/**
 * Adds one to the count, starting a new window when the old one is over; one atomic statement.
 * @returns false when the window was full: then nothing was counted.
 */
export const addToThrottle = async (
  db: Db,
  key: string,
  limit: number,
  now: Date,
  windowEndsAt: Date,
): Promise<boolean> => {
  const row = await db
    .insertInto('throttles')
    .values({ key, count: 1, windowEndsAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({
          count: sql<number>`case when ${eb.ref('throttles.windowEndsAt')} <= ${now} then 1
          else ${eb.ref('throttles.count')} + 1 end`,
          windowEndsAt: sql<Date>`case when ${eb.ref('throttles.windowEndsAt')} <= ${now}
          then ${windowEndsAt} else ${eb.ref('throttles.windowEndsAt')} end`,
        }))
        .where((eb) =>
          eb.or([eb('throttles.windowEndsAt', '<=', now), eb('throttles.count', '<', limit)]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

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
