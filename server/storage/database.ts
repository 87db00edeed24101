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

/** PostgreSQL frees what a process holds that has gone without a word, in the middle of a transaction. */
const IDLE_TRANSACTION_MS = 60_000

/** `onError` hears of every connection that broke, and of each query that met no database. */
export const openDatabase = (
  { connection, maxConnections }: DatabaseAddress,
  onError: (error: Error) => void,
  isSilent: () => boolean = () => false,
): Database => {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    // A request must not wait for ever when the database is away.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    application_name: 'mailstead',
  })
  guardLentOut(pool, onError)
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing(pool, onError, isSilent) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** A pool hears of errors of its idle connections alone; of one that is lent out nobody would, and the process would end. */
const guardLentOut = (pool: pg.Pool, onError: (error: Error) => void): void => {
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
}
