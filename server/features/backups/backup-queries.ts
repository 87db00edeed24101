/** For later rooms: how old the last backups are. `place`: only those there, by its title. */
import type { Db } from '#server/storage/database.ts'

const backupsTo = (db: Db, place: string | undefined) =>
  place === undefined
    ? db.selectFrom('backups')
    : db.selectFrom('backups').where('place', '=', place)

/** When the last whole backup began; null: there is none. */
export const readLastWhole = async (db: Db, place?: string): Promise<Date | null> => {
  const row = await backupsTo(db, place)
    .select('startedAt')
    .where('snapshot', 'is not', null)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}

/** The last one that began. */
export const readLastBackup = (db: Db, place?: string) =>
  backupsTo(db, place).selectAll().orderBy('startedAt', 'desc').limit(1).executeTakeFirst()

/** Newest first. */
export const readLastBackups = (db: Db, limit: number) =>
  backupsTo(db, undefined).selectAll().orderBy('startedAt', 'desc').limit(limit).execute()

/** null: none was tried. */
export const firstTryAt = async (db: Db, place: string): Promise<Date | null> => {
  const row = await backupsTo(db, place)
    .select('startedAt')
    .orderBy('startedAt')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt ?? null
}
