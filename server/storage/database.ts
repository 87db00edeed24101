/** Opens the pool. Features get it as `app.db`; only stores write SQL with it. */
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { preparing } from './prepared-statements.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
/** A pool or a transaction: what store functions take. */
export type Db = Kysely<Tables> | Transaction<Tables>

// bigint as number: sizes and counters here stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type DatabaseAddress = {
  /** A URL, or host (folder of the socket), user, password and database. */
  connection: pg.PoolConfig
  maxConnections: number
}

export const openDatabase = (
  { connection, maxConnections }: DatabaseAddress,
  onError: (error: Error) => void,
): Database => {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    // A request must not wait for ever when the database is away.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'mailstead',
  })
  pool.on('error', onError)
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}
