import { type Kysely, sql } from 'kysely'

/** Files of the web app of each release that is in use, for pages of another release (decision 138). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table web_files (
    path text primary key,
    body bytea not null,
    br bytea,
    mac bytea not null,
    served_at timestamptz not null
  )`.execute(db)
}
