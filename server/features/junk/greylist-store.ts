import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export const findPassed = async (db: Db, key: Buffer, now: Date): Promise<boolean> => {
  const row = await db
    .selectFrom('greylist')
    .select('key')
    .where('key', '=', key)
    .where('passedAt', 'is not', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns the time of the first attempt; an expired attempt counts as none. One statement, so that concurrent calls agree. */
export const noteTry = async (db: Db, key: Buffer, now: Date, expiresAt: Date): Promise<Date> => {
  const { seenAt } = await db
    .insertInto('greylist')
    .values({ key, seenAt: now, passedAt: null, expiresAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        seenAt: sql`case when greylist.expires_at > ${now} then greylist.seen_at else ${now} end`,
        expiresAt: sql`case when greylist.expires_at > ${now} then greylist.expires_at else ${expiresAt} end`,
      }),
    )
    .returning('seenAt')
    .executeTakeFirstOrThrow()
  return seenAt
}

export const notePassed = async (
  db: Db,
  key: Buffer,
  now: Date,
  expiresAt: Date,
): Promise<void> => {
  await db
    .insertInto('greylist')
    .values({ key, seenAt: now, passedAt: now, expiresAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ passedAt: now, expiresAt }))
    .execute()
}

export const deleteExpired = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('greylist').where('expiresAt', '<=', now).execute()
}
