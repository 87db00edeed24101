/**
 * Knows whether PostgreSQL is there. Whatever meets trouble reports it here and is quiet: one line of the log says that the
 * database is away, one that it is back (decision 035).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { newListening } from '../lib/listening.ts'
import { reasonOf } from '../lib/ports/bound-ports.ts'
import type { Readiness } from '../lib/readiness.ts'
import {
  codeOf,
  DatabaseSilent,
  isDatabaseAway,
  isDatabaseFull,
  isPoolBusy,
} from './database-away.ts'
import type { Sockets } from './sockets.ts'

export type DatabaseWatch = {
  /** What is not about the database is not for here. */
  report(error: unknown): void
  /** Then it is no use to ask, and to wait for the answer. */
  isSilent(): boolean
  start(server: { connection: pg.ClientConfig; sockets: Sockets }): void
  close(): Promise<void>
}

const BEAT_MS = 2_000
const AGAIN_MS = 250
/** Without an answer for so long it is away. */
const SILENT_MS = 4_000
const BUSY_SAID_MS = 60_000
/** More than fits into what a table has left. */
const FILL_SOME = `
  create temp table probe on commit drop as
    select repeat(md5(n::text), 250) from generate_series(1, 100) n`

export const newDatabaseWatch = (log: Logger, readiness: Readiness): DatabaseWatch => {
  const status = newStatus(log, readiness)
  const sleep = newSleep()
  let isClosed = false
  let doubt: unknown = null
  let running: Promise<void> = Promise.resolve()

  /** As long as the connection lasts, and nobody who comes now fares worse. */
  const beat = async (client: pg.Client, connection: pg.ClientConfig) => {
    while (!isClosed) {
      if (doubt === null) await sleep.for(BEAT_MS)
      const doubted = doubt
      doubt = null
      await checkWritable(client)
      if (doubted === null) continue
      await lookAfresh(connection, isDatabaseFull(doubted))
      await wait(AGAIN_MS)
    }
  }

  const watch = async (connection: pg.ClientConfig, sockets: Sockets) => {
    while (!isClosed) {
      let client: pg.Client | null = null
      let brokenBy: Error | null = null
      try {
        client = await connected(connection)
        client.once('error', (error) => (brokenBy = error))
        client.once('end', sleep.end)
        await checkWritable(client)
        if (status.isFull()) await lookAfresh(connection, true)
        status.isBack()
        await beat(client, connection)
      } catch (error) {
        if (isClosed) break
        status.isAway(brokenBy ?? error)
        // What is connected to a standby, or to nothing, would stay so.
        if (status.isSilent() || error instanceof ReadOnly) sockets.cutAll()
      } finally {
        end(client)
      }
      if (!isClosed) await sleep.for(AGAIN_MS)
    }
  }

  return {
    report: (error) => {
      if (!isDatabaseAway(error)) return
      if (isPoolBusy(error)) return status.isBusy()
      if (status.isKnown(error) || doubt !== null) return
      doubt = error
      sleep.end()
    },
    isSilent: status.isSilent,
    start: ({ connection, sockets }) => {
      running = watch({ ...connection, application_name: 'mailstead watch' }, sockets)
    },
    close: async () => {
      isClosed = true
      sleep.end()
      await running
    },
  }
}

/** What is known and said. */
const newStatus = (log: Logger, readiness: Readiness) => {
  let away: { since: number; isFull: boolean; isReady: () => void } | null = null
  let isSilent = false
  let busySaidAt = Number.NEGATIVE_INFINITY
  return {
    isSilent: () => isSilent,
    isFull: () => away?.isFull ?? false,
    /** It is away already. */
    isKnown: (error: unknown) => {
      if (away !== null) away.isFull ||= isDatabaseFull(error)
      return away !== null
    },
    isAway: (error: unknown) => {
      isSilent = error instanceof DatabaseSilent
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

/** One that can be cut short. */
const newSleep = () => {
  let end = () => {}
  return {
    end: () => end(),
    for: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** A standby, after the name has gone over to another server, or before. */
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

/** A goodbye that is not heard is not waited for. */
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

/** As somebody who comes now, and writes when it was about room. */
const lookAfresh = async (connection: pg.ClientConfig, isFull: boolean): Promise<void> => {
  const client = await connected(connection)
  try {
    if (isFull) await answerOf(client.query(FILL_SOME))
  } finally {
    end(client)
  }
}

/** Time in which our own main thread was busy does not count: a connection takes many rounds of it. */
const answerOf = <T>(asked: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const listening = newListening((ms) => {
      if (ms < SILENT_MS) return
      listening.end()
      // What has come in the meantime is read before that.
      setImmediate(() => reject(new DatabaseSilent()))
    })
    asked.then(resolve, reject).finally(listening.end)
  })
