import { type Kysely, sql } from 'kysely'

/** A removed upload stays on disk for a day, and counts against the quota until then. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table uploads add column removed_at timestamptz`.execute(db)
}
