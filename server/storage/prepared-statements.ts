/**
 * Names frequently repeated statements, so that PostgreSQL keeps their plans: for most of ours planning costs more than running.
 * Each connection keeps its own plans, so only hot statements get a name.
 */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { newListening } from '../lib/listening.ts'
import { DatabaseSilent, isDatabaseAway, isTimeLimit } from './database-away.ts'

const HOT_USES = 10
const MAX_NAMES = 64
/** Statements with lists have endless variants: the counters are cleared so that they do not grow. */
const MAX_COUNTED = 1_000

/** A share of the pool's timeout. */
const LISTENED_SHARE = 0.6

/** Wraps the pool for Kysely. A connection that failed to reach the database is not reused. */
export const preparing = (
  pool: pg.Pool,
  statements: Statements,
  { onError, isSilent }: { onError: (error: Error) => void; isSilent: () => boolean },
): PostgresPool => {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      if (isSilent()) throw new DatabaseSilent()
      const client = await checkedOut(pool).catch((error: Error) => {
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
 * The pool's timeout also runs while our own main thread is busy, and then says nothing about PostgreSQL: connects again unless
 * the thread could receive answers for most of that time.
 */
const checkedOut = async (pool: pg.Pool): Promise<pg.PoolClient> => {
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
  let isInTransaction = false
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
    const mayBeNamed = parameters.length > 0 && !(isInTransaction && namesAllColumns(sql))
    const name = mayBeNamed ? statements.nameOf(sql) : undefined
    if (/^(?:begin|start transaction)/.test(sql)) isInTransaction = true
    else if (sql === 'commit' || sql === 'rollback') isInTransaction = false
    try {
      return await run<R>(sql, parameters, name)
    } catch (error) {
      note(error)
      if (name === undefined || !isStalePlan(error)) throw error
      statements.forget(sql)
      return run<R>(sql, parameters)
    }
  }
  return {
    // Kysely uses cursors only when it is given a cursor class, and it is not.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  }
}

type Statements = {
  /** undefined: it is not kept. */
  nameOf(sql: string): string | undefined
  /** The statement is planned anew, and later gets a new name. */
  forget(sql: string): void
}

/** Behind a pooler, the next transaction may run where nobody knows the name. */
export const withoutNames: Statements = { nameOf: () => undefined, forget: () => {} }

export const hotStatements = (): Statements => {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  let lastName = 0
  return {
    nameOf: (sql) => {
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
    forget: (sql) => void names.delete(sql),
  }
}

/** A newer version may add columns at any moment (decision 134). In a transaction the statement could not be asked again. */
const namesAllColumns = (sql: string): boolean => /(?:select|returning|\.|,) ?\*/.test(sql)

/** A migration of a newer version changed the result columns of the statement. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('cached plan must not change result type')
