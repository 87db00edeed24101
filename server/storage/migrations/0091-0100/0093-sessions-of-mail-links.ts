import { type Kysely, sql } from 'kysely'

/** Which session asked for a new address: the mail to the former one ends it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table mail_links add column session_id uuid`.execute(db)
}
