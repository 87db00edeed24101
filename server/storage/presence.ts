/**
 * The number of this worker, valid as long as its session holds a lock on it in PostgreSQL. Claims of a number whose lock is free
 * belong to a dead worker (decision 036).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseSilent } from './database-away.ts'

export type Presence = {
  /** null unless the lock is certainly held. */
  number(): number | null
  /**
   * Queries over the connection that holds the lock. @throws an error that `isDatabaseAway` recognises when the lock is not held
   */
  ask<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]>
  /** Releases the number. */
  close(): Promise<void>
}

/** An arbitrary number, the same in all versions: the first key of the two-key locks. */
export const CLAIMERS = 20_260_002
/** PostgreSQL ends the session of a worker that is silent for this time, even if its connection never closes. */
const SILENT_SECONDS = 30
const BEAT_MS = 5_000
const AGAIN_MS = 200

/** @param onHeld called when this worker holds its number, also after a reconnect */
export const openPresence = (
  connection: pg.ClientConfig,
  onHeld: () => void,
  onError: (error: unknown) => void,
): Presence => {
  const closing = new AbortController()
  let number: number | null = null
  let holder: pg.Client | null = null
  let client: pg.Client | null = null
  let turn: Promise<unknown> = Promise.resolve()

  /** A connection runs one query after the other. */
  const inTurn = async <Row extends pg.QueryResultRow>(query: string | pg.QueryConfig) => {
    const asked = turn.then(() => {
      if (holder === null) throw new DatabaseSilent()
      return holder.query<Row>(query)
    })
    turn = asked.catch(() => {})
    return (await asked).rows
  }

  /** Resolves when the connection ends. */
  const hold = async () => {
    client = newClient(connection, onError)
    const ended = new Promise<void>((resolve) => client?.once('end', resolve))
    // A connection that is ended while it connects never resolves.
    await Promise.race([client.connect(), ended])
    await client.query(`set idle_session_timeout = '${SILENT_SECONDS}s'`)
    number ??= await nextNumber(client)
    // Another worker may hold the lock for a moment, while it releases the claims of this number.
    await client.query('select pg_advisory_lock($1, $2)', [CLAIMERS, number])
    if (closing.signal.aborted) return
    holder = client
    onHeld()
    const beat = setInterval(() => inTurn('select 1').catch(onError), BEAT_MS)
    await ended
    clearInterval(beat)
  }

  const holdOn = async () => {
    while (!closing.signal.aborted) {
      await hold().catch(onError)
      holder = null
      client?.end().catch(() => {})
      await wait(AGAIN_MS, null, { signal: closing.signal }).catch(() => {})
    }
  }
  const held = holdOn()

  return {
    number: () => (holder === null ? null : number),
    ask: (name, text, values) => inTurn({ name, text, values: [...values] }),
    close: async () => {
      closing.abort()
      holder = null
      client?.end().catch(() => {})
      await held
    },
  }
}

const newClient = (connection: pg.ClientConfig, onError: (error: unknown) => void): pg.Client =>
  new pg.Client({
    ...connection,
    application_name: 'mailstead claimer',
    connectionTimeoutMillis: 5_000,
  }).on('error', onError)

const nextNumber = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ number: number }>(
    "select nextval('claimers')::integer as number",
  )
  return rows[0]?.number ?? 0
}
