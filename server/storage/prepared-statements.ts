/**
 * Names the statements that this process repeats, so that PostgreSQL keeps their plans: for most of ours planning
 * costs more than running. Each connection keeps plans of its own, so only what proves hot gets a name.
 */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { newListening } from '../lib/listening.ts'
import { DatabaseSilent, isDatabaseAway, isTimeLimit } from './database-away.ts'

const HOT_USES = 10
const MAX_NAMES = 64
/** Statements with lists in them come in endless shapes: the count starts again rather than grow. */
const MAX_COUNTED = 1_000

/** Of the time limit. */
const LISTENED_SHARE = 0.6

/** As a pool for Kysely. A connection over which the database was not reached is not lent out again. */
export const preparing = (
  pool: pg.Pool,
  onError: (error: Error) => void,
  isSilent: () => boolean,
): PostgresPool => {
  const statements = hotStatements()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      if (isSilent()) throw new DatabaseSilent()
      const client = await lent(pool).catch((error: Error) => {
        onError(error)
        throw error
      })
      const known = clients.get(client)
      if (known) return known
      const made = preparingClient(client, statements, onError)
      clients.set(client, made)
      return made
    },
  }
}

/**
 * The time limit of the pool goes on while our own main thread is busy, and then says nothing of PostgreSQL: who has
 * hardly listened asks again.
 */
const lent = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  const listening = newListening()
  const least = LISTENED_SHARE * (pool.options.connectionTimeoutMillis ?? 0)
  try {
    for (;;)
      try {
        return await pool.connect()
      } catch (error) {
        if (!isTimeLimit(error) || listening.ms() >= least) throw error
      }
  } finally {
    listening.end()
  }
}

const preparingClient = (
  client: pg.PoolClient,
  statements: Statements,
  onError: (error: Error) => void,
): PostgresPoolClient => {
  let isBroken = false
  const note = (error: unknown) => {
    if (!(error instanceof Error && isDatabaseAway(error))) return
    isBroken = true
    onError(error)
  }
  const run = async <R>(sql: string, parameters: readonly unknown[], name?: string) =>
    (await client.query({
      text: sql,
      values: [...parameters],
      ...(name && { name }),
    })) as unknown as PostgresQueryResult<R>
  const query = async <R>(sql: string, parameters: readonly unknown[]) => {
    const name = parameters.length > 0 ? statements.nameOf(sql) : undefined
    try {
      return await run<R>(sql, parameters, name)
    } catch (error) {
      note(error)
      if (name === undefined || !isStalePlan(error)) throw error
      statements.forget(sql)
      // Inside a transaction nothing works any more after an error: the caller hears of the first.
      return run<R>(sql, parameters).catch(() => Promise.reject(error))
    }
  }
  return {
    // Kysely asks for cursors only when it is told of a cursor class, and ours is not.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  }
}

type Statements = ReturnType<typeof hotStatements>

const hotStatements = () => {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  let lastName = 0
  return {
    nameOf: (sql: string): string | undefined => {
      const known = names.get(sql)
      if (known !== undefined || names.size >= MAX_NAMES) return known
      const used = (uses.get(sql) ?? 0) + 1
      if (used < HOT_USES) {
        if (uses.size >= MAX_COUNTED) uses.clear()
        uses.set(sql, used)
        return undefined
      }
      uses.delete(sql)
      const name = `hot${++lastName}`
      names.set(sql, name)
      return name
    },
    /** Its next uses are planned afresh, and later under a new name. */
    forget: (sql: string): void => {
      names.delete(sql)
    },
  }
}

/** A migration of a newer version changed the columns that the statement answers. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('cached plan must not change result type')
