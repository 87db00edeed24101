import { type Kysely, sql } from 'kysely'

/** Since when the Admins are to be told that a domain was deleted, together with others; null: told, or nothing to tell. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table domains add column deletion_untold_since timestamptz',
  `create index domains_untold on domains (workspace_id, deletion_untold_since)
    where deletion_untold_since is not null`,
]
