/** Questions to the database about the database, and to the schedule of graphile-worker, which no room owns. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export const readDatabase = async (db: Db): Promise<{ version: string; now: Date }> => {
  const { rows } = await sql<{ version: string; now: Date }>`
    select current_setting('server_version') as version, clock_timestamp() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database gave no row')
  return row
}

/** When a job began last, or the schedule for the first time; null: neither. */
export const lastJobAt = async (db: Db): Promise<Date | null> => {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('jobs._private_known_crontabs') is not null as is_there`.execute(db)
  if (rows[0]?.isThere !== true) return null
  const { rows: last } = await sql<{ at: Date | null }>`
    select max(coalesce(last_execution, known_since)) as at from jobs._private_known_crontabs`.execute(
    db,
  )
  return last[0]?.at ?? null
}
