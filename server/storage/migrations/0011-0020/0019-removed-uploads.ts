import { type Kysely, sql } from 'kysely'

/** A removed file is on disk for a day still, and counts for as long. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table uploads add column removed_at timestamptz`.execute(db)
}
