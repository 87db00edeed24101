/** For later rooms: how old the last backup is. */
import type { Db } from '#server/storage/database.ts'

/** When the last whole backup began; null: there is none. */
export const readLastWhole = async (db: Db): Promise<Date | null> => {
  const row = await db
    .selectFrom('backups')
    .select('startedAt')
    .where('snapshot', 'is not', null)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}

/** To any place; the last one that began. */
export const readLastBackup = (db: Db) =>
  db.selectFrom('backups').selectAll().orderBy('startedAt', 'desc').limit(1).executeTakeFirst()

/** null: none was tried. */
export const firstTryAt = async (db: Db): Promise<Date | null> => {
  const row = await db
    .selectFrom('backups')
    .select('startedAt')
    .orderBy('startedAt')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}
