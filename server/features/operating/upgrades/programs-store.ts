/** The programs that work with this database. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import { LISTENER } from '#server/storage/listen.ts'

/** Those of another release. Each process listens as long as it runs. */
export const countOtherPrograms = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and starts_with(application_name, 'mailstead listener')
      and application_name <> ${LISTENER}`.execute(db)
  return rows[0]?.count ?? 0
}
