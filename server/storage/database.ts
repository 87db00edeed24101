/** Opens the connection pool. Features get it as `app.db`; only stores write SQL. */
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { hotStatements, preparing, withoutNames } from './prepared-statements.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
/** A pool or a transaction: the parameter of store functions. */
export type Db = Kysely<Tables> | Transaction<Tables>

// bigint as number: sizes and counters stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type DatabaseAddress = {
  /** A URL, or host (the folder of the socket), user, password and database. */
  connection: pg.PoolConfig
  maxConnections: number
  /** Each transaction may run on another connection of the server: a pooler stands between. */
  isPooled?: boolean
}

/** PostgreSQL releases the locks of a process that disappeared in the middle of a transaction. */
const IDLE_TRANSACTION_MS = 60_000

/** `onError` gets the error of every broken connection and of each query that could not reach the database. */
export const openDatabase = (
  { connection, maxConnections, isPooled = false }: DatabaseAddress,
  onError: (error: Error) => void,
  isSilent: () => boolean = () => false,
): Database => {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    // A request must not wait for ever while the database is away.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // A pooler refuses it, and has a setting of its own for it.
    ...(!isPooled && { idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS }),
    application_name: 'mailstead',
  })
  guardLentOut(pool, onError)
  const statements = isPooled ? withoutNames : hotStatements()
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing(pool, statements, { onError, isSilent }) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** A pool reports errors only of idle connections; without this listener, an error of a checked-out one would end the process. */
const guardLentOut = (pool: pg.Pool, onError: (error: Error) => void): void => {
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
}
