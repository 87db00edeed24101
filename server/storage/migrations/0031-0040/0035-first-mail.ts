import { type Kysely, sql } from 'kysely'

/** When the first mail came to a domain from outside, and when one of it was first delivered outside. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw(`alter table domains add mail_came_at timestamptz, add mail_went_at timestamptz`)
    .execute(db)
}
