/**
 * A number that is this worker's for as long as it lives: a lock that its session holds in PostgreSQL. What is claimed
 * under a number whose lock is free is claimed by nobody (decision 036).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseSilent } from './database-away.ts'

export type Presence = {
  /** null while the lock is not held for certain. */
  number(): number | null
  /** Asks over the very connection that holds the lock. @throws what `isDatabaseAway` knows when it does not. */
  ask<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]>
  /** Frees the number. */
  close(): Promise<void>
}

/** Any number, the same in all versions: what locks of two keys are about. */
export const CLAIMERS = 20_260_002
/** A worker that is not heard of for so long is dead to PostgreSQL, also where its connection never closes. */
const SILENT_SECONDS = 30
const BEAT_MS = 5_000
const AGAIN_MS = 200

/** @param onHeld the number is ours, or ours again */
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

  /** A connection answers one question after the other. */
  const inTurn = async <Row extends pg.QueryResultRow>(query: string | pg.QueryConfig) => {
    const asked = turn.then(() => {
      if (holder === null) throw new DatabaseSilent()
      return holder.query<Row>(query)
    })
    turn = asked.catch(() => {})
    return (await asked).rows
  }

  /** Until the connection ends. */
  const hold = async () => {
    client = new pg.Client({
      ...connection,
      application_name: 'mailstead claimer',
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', onError)
    const ended = new Promise<void>((resolve) => client?.once('end', resolve))
    // One that is ended while it connects is never answered.
    await Promise.race([client.connect(), ended])
    await client.query(`set idle_session_timeout = '${SILENT_SECONDS}s'`)
    number ??= await nextNumber(client)
    // Another worker may hold it for a moment, to free what was claimed under it.
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

const nextNumber = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ number: number }>(
    "select nextval('claimers')::integer as number",
  )
  return rows[0]?.number ?? 0
}
