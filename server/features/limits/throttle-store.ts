import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** Only reads: a refusal writes nothing. */
export const findWindows = (db: Db, keys: readonly string[], now: Date) =>
  db
    .selectFrom('throttles')
    .selectAll()
    .where('key', 'in', keys)
    .where('windowEndsAt', '>', now)
    .execute()

/**
 * Adds `amount` to the count, and starts a new window when the old one is over. One atomic statement.
 * @returns false when the window has no room for it: then nothing was counted.
 */
export const addToThrottle = async (
  db: Db,
  { key, limit, amount }: { key: string; limit: number; amount: number },
  now: Date,
  windowEndsAt: Date,
): Promise<boolean> => {
  if (amount > limit) return false
  const row = await db
    .insertInto('throttles')
    .values({ key, count: amount, windowEndsAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({
          count: sql<number>`case when ${eb.ref('throttles.windowEndsAt')} <= ${now} then ${amount}
          else ${eb.ref('throttles.count')} + ${amount} end`,
          windowEndsAt: sql<Date>`case when ${eb.ref('throttles.windowEndsAt')} <= ${now}
          then ${windowEndsAt} else ${eb.ref('throttles.windowEndsAt')} end`,
        }))
        .where((eb) =>
          eb.or([
            eb('throttles.windowEndsAt', '<=', now),
            eb('throttles.count', '<=', limit - amount),
          ]),
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
