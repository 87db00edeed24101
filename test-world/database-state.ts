/** Looking at a whole database from outside, and disturbing it. */
import { sql } from 'kysely'
import type { Database } from '#server/storage/database.ts'

/** One line a table: equal before and after when nothing was changed. Counts of tries are left out. */
export const stateOf = async (db: Database): Promise<string> => {
  const tables = await db.introspection.getTables()
  const states = []
  for (const { name } of tables) {
    if (name === 'throttles') continue
    const { rows } = await sql<{ state: string | null }>`
      select md5(string_agg(t::text, ',' order by t::text)) as state from ${sql.table(name)} t
    `.execute(db)
    states.push(`${name} ${rows[0]?.state}`)
  }
  return states.join('\n')
}

/** Breaks the connection on which every process of this database listens. */
export const cutListeners = async (db: Database): Promise<void> => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'mailstead listener' and datname = current_database()`.execute(db)
}
