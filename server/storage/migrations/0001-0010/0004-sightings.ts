import { type Kysely, sql } from 'kysely'

/** The answer of each name server and each resolver at a record's last check. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw('alter table domain_records add column sightings jsonb').execute(db)
}
