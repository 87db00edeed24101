import { type Kysely, sql } from 'kysely'

/** What each name server and each resolver said of a record at its last check. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw('alter table domain_records add column sightings jsonb').execute(db)
}
