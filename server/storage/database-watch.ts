/**
 * Watches whether PostgreSQL is available. Other modules report errors here and do not log them: one log line says that the
 * database is away, one that it is back (decision 035).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { newListening } from '../lib/listening.ts'
import { reasonOf } from '../lib/ports/bound-ports.ts'
import type { Readiness } from '../lib/readiness.ts'
import { newSleep } from '../lib/wait.ts'
import {
  codeOf,
  DatabaseSilent,
  isDatabaseAway,
  isDatabaseFull,
  isPoolBusy,
} from './database-away.ts'
import type { Sockets } from './sockets.ts'

export type DatabaseWatch = {
  /** Ignores errors that are not about the database. */
  report(error: unknown): void
  /** The server does not answer, or a pooler holds queries back: a query would only time out. */
  isSilent(): boolean
  /** `name`: of its connection. */
  start(server: Watched, name: string): void
  close(): Promise<void>
}

type Watched = {
  connection: pg.ClientConfig
  /** Where queries go, if not to `connection`. */
  pooled: pg.ClientConfig | null
  sockets: Sockets
}

const BEAT_MS = 2_000
const AGAIN_MS = 250
const LOOK = 'mailstead look'
/** Without an answer for this time the database is away. */
const SILENT_MS = 4_000
const BUSY_SAID_MS = 60_000
/** More rows than the free space in a table can hold. */
const FILL_SOME = `
  create temp table probe on commit drop as
    select repeat(md5(n::text), 250) from generate_series(1, 100) n`

export const newDatabaseWatch = (log: Logger, readiness: Readiness): DatabaseWatch => {
  const status = newStatus(log, readiness)
  const sleep = newSleep()
  let isClosed = false
  const doubts = newDoubts(status, sleep.end)
  let running: Promise<void> = Promise.resolve()

  /** Repeats until the connection ends or a new connection would fail. */
  const beat = async (client: pg.Client, afresh: pg.ClientConfig) => {
    while (!isClosed) {
      if (doubts.isNone()) await sleep.for(BEAT_MS)
      const doubted = doubts.take()
      await checkWritable(client)
      if (doubted === null) continue
      await lookAfresh(afresh, isDatabaseFull(doubted))
      await wait(AGAIN_MS)
    }
  }

  const watch = async ({ connection, pooled, sockets }: Watched, name: string) => {
    const own = { ...connection, application_name: name }
    const afresh = { ...(pooled ?? connection), application_name: LOOK }
    while (!isClosed) {
      let client: pg.Client | null = null
      let brokenBy: Error | null = null
      try {
        client = await connected(own)
        client.once('error', (error) => (brokenBy = error))
        client.once('end', sleep.end)
        await checkWritable(client)
        if (status.isFull() || (status.isOut() && pooled !== null))
          await lookAfresh(afresh, status.isFull())
        status.isBack()
        await beat(client, afresh)
      } catch (error) {
        if (isClosed) break
        // A pooler holds queries back until it reaches the server again.
        status.isAway(brokenBy ?? error, pooled !== null && client === null)
        // Connections to a standby, or to a dead server, would stay open.
        if (status.isSilent() || error instanceof ReadOnly) sockets.cutAll()
      } finally {
        end(client)
      }
      if (!isClosed) await sleep.for(AGAIN_MS)
    }
  }

  return {
    report: doubts.report,
    isSilent: status.isSilent,
    start: (server, name) => {
      running = watch(server, name)
    },
    close: async () => {
      isClosed = true
      sleep.end()
      await running
    },
  }
}

/** Errors that other code reported although the watch's own query succeeded. */
const newDoubts = (status: ReturnType<typeof newStatus>, wake: () => void) => {
  let doubt: unknown = null
  return {
    isNone: () => doubt === null,
    take: (): unknown => {
      const taken = doubt
      doubt = null
      return taken
    },
    report: (error: unknown): void => {
      if (!isDatabaseAway(error)) return
      if (isPoolBusy(error)) status.isBusy()
      else if (!status.isKnown(error) && doubt === null) {
        doubt = error
        wake()
      }
    },
  }
}

/** The known state, and its log lines. */
const newStatus = (log: Logger, readiness: Readiness) => {
  let away: { since: number; isFull: boolean; isReady: () => void } | null = null
  let isSilent = false
  let busySaidAt = Number.NEGATIVE_INFINITY
  return {
    isSilent: () => isSilent,
    isFull: () => away?.isFull ?? false,
    isOut: () => away !== null,
    /** The database is already reported as away. */
    isKnown: (error: unknown) => {
      if (away !== null) away.isFull ||= isDatabaseFull(error)
      return away !== null
    },
    isAway: (error: unknown, holdsBack: boolean) => {
      isSilent = error instanceof DatabaseSilent || holdsBack
      const isFull = isDatabaseFull(error)
      if (away !== null) return
      away = { since: performance.now(), isFull, isReady: readiness.waitFor('database') }
      const why = { reason: reasonOf(error), code: codeOf(error) }
      log.warn({ event: 'database-away', ...why }, 'the database is away')
    },
    isBack: () => {
      isSilent = false
      if (away === null) return
      const seconds = Math.round((performance.now() - away.since) / 100) / 10
      away.isReady()
      away = null
      log.warn({ event: 'database-back', seconds }, 'the database is back')
    },
    isBusy: () => {
      if (away !== null || performance.now() - busySaidAt < BUSY_SAID_MS) return
      busySaidAt = performance.now()
      log.warn('all connections to the database were busy for seconds')
    },
  }
}

/** The server is a standby, before or after a failover. */
class ReadOnly extends Error {
  constructor() {
    super('it takes no changes now')
  }
}

const connected = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await answerOf(client.connect())
    return client
  } catch (error) {
    end(client)
    throw error
  }
}

/** Does not wait for the server to close the connection. */
const end = (client: pg.Client | null): void => {
  client?.end().catch(() => {})
}

/** @throws ReadOnly */
const checkWritable = async (client: pg.Client): Promise<void> => {
  const { rows } = await answerOf(
    client.query<{ transaction_read_only: string }>('show transaction_read_only'),
  )
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnly()
}

/** Checks with a new connection; also writes, when the disk was full. */
const lookAfresh = async (connection: pg.ClientConfig, isFull: boolean): Promise<void> => {
  const client = await connected(connection)
  try {
    // A pooler may take a connection without having one of the server.
    await answerOf(client.query(isFull ? FILL_SOME : 'select 1'))
  } finally {
    end(client)
  }
}

/** Does not count time in which our own main thread was busy: connecting takes many rounds of the event loop. */
const answerOf = <T>(asked: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const listening = newListening((ms) => {
      if (ms < SILENT_MS) return
      listening.end()
      // Input that has already arrived is read first.
      setImmediate(() => reject(new DatabaseSilent()))
    })
    asked.then(resolve, reject).finally(listening.end)
  })
