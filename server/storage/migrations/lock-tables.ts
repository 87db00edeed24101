/** For a migration that changes several tables which others use. */
import { type Kysely, sql } from 'kysely'

/** In the order in which mail that comes locks them. */
const BUSIEST = ['mailboxes', 'folders', 'messages']

/** After a second of waiting PostgreSQL looks for those who wait for each other, and ends one of them. */
const LOCKED_WITHIN_MS = 700

/**
 * Whoever waits for the first table may have one that we wait for: PostgreSQL would end one of both, and that may be a mail. So all
 * others are had within less time than it takes to look for that, or the migration fails and is tried again.
 */
export const lockTables = async (db: Kysely<unknown>, tables: readonly string[]): Promise<void> => {
  const [first, ...rest] = new Set([
    ...BUSIEST.filter((table) => tables.includes(table)),
    ...tables,
  ])
  if (first === undefined) return
  await sql.raw(`lock table ${first} in access exclusive mode`).execute(db)
  if (rest.length === 0) return
  await sql`set local statement_timeout = ${sql.lit(LOCKED_WITHIN_MS)}`.execute(db)
  await sql
    .raw(`do $$ begin
      lock table ${rest.join(', ')} in access exclusive mode;
    exception when query_canceled then
      raise exception 'tables are in use' using errcode = 'lock_not_available';
    end $$`)
    .execute(db)
  await sql`set local statement_timeout to default`.execute(db)
}
