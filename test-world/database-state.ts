/** Compares whole databases, and breaks their connections. */
import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '#server/storage/database.ts'
import { LISTENER } from '#server/storage/listen.ts'

type States = CompiledQuery<{ state: string }>

/** One compiled statement for all tables: tests run it hundreds of times. */
const statesOf = async (db: Database): Promise<States> => {
  const states = (await db.introspection.getTables())
    .filter(({ name }) => name !== 'throttles')
    .map(
      ({ name }) => sql`
        select ${sql.lit(name)} || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as state
        from ${sql.table(name)} t`,
    )
  return sql<{ state: string }>`${sql.join(states, sql` union all `)} order by state`.compile(db)
}
const queries = new WeakMap<Database, Promise<States>>()

/** One line per table: equal before and after when nothing changed. Throttle counters are left out. */
export const stateOf = async (db: Database): Promise<string> => {
  const query = queries.get(db) ?? statesOf(db)
  queries.set(db, query)
  const { rows } = await db.executeQuery(await query)
  return rows.map(({ state }) => state).join('\n')
}

/** The same for the rows of one mailbox, in every table that names mailboxes. */
export const stateOfMailbox = async (db: Database, mailboxId: string): Promise<string> => {
  const tables = (await db.introspection.getTables()).filter(({ columns }) =>
    columns.some(({ name }) => name === 'mailbox_id' || name === 'mailboxId'),
  )
  const states = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} || ' ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as state
      from ${sql.table(name)} t where mailbox_id = ${mailboxId}`,
  )
  const all = sql<{ state: string }>`${sql.join(states, sql` union all `)} order by state`
  return (await all.execute(db)).rows.map(({ state }) => state).join('\n')
}

/** Breaks the connection on which each process of this database listens. */
export const cutListeners = async (db: Database): Promise<void> => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${LISTENER} and datname = current_database()`.execute(db)
}
