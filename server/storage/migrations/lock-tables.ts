/** For a migration that needs several tables which others use. */
import { type Kysely, sql } from 'kysely'

/** In the order in which mail that comes locks them. */
const BUSIEST = ['mailboxes', 'folders', 'messages']

/**
 * All at once, and only the first is waited for: where another is in use the migration fails and is tried again. Whoever waits for
 * us never has what we wait for; PostgreSQL would end one of both, and that may be a mail.
 */
export const lockTables = async (db: Kysely<unknown>, tables: readonly string[]): Promise<void> => {
  const [first, ...rest] = new Set([
    ...BUSIEST.filter((table) => tables.includes(table)),
    ...tables,
  ])
  const lock = (names: readonly string[]) =>
    sql.raw(`lock table ${names.join(', ')} in access exclusive mode`)
  if (first !== undefined) await lock([first]).execute(db)
  if (rest.length > 0) await sql`${lock(rest)} nowait`.execute(db)
}
