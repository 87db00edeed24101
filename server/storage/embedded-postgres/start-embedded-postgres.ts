/**
 * The PostgreSQL that we bring along: one cluster in DATA_DIR, reached by a Unix socket only, owned by one
 * Mailstead at a time. It survives kill -9 of its owner, and the next start takes it over (decision 001).
 */
import { realpathSync } from 'node:fs'
import pg from 'pg'
import { reasonOf, StartError } from '../../lib/ports/bound-ports.ts'
import { makeCluster, passwordOf, removeHalfMadeClusters, SUPERUSER } from './cluster.ts'
import { ownerName, takeLock } from './owner-lock.ts'
import { findRuntime } from './runtime.ts'
import {
  chooseSocketFolder,
  isRunning,
  launch,
  removeStray,
  type ServerOptions,
  type ServerProcess,
  socketFolderOf,
  startFailed,
  stop,
} from './server-process.ts'

export type EmbeddedPostgres = {
  /** For the product's database. */
  connection: pg.ClientConfig & { host: string; user: string; password: string; database: string }
  /** Stops the server and gives DATA_DIR free. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  maxConnections?: number
  /** false: no fsync, for tests. */
  isDurable?: boolean
  /** The server went away and does not start again yet: it is tried until it does. Once for each time. */
  onTrouble?: (error: Error) => void
}

const DATABASE = 'mailstead'
const START_TIMEOUT_MS = 60_000
const GOODBYES_MS = 500
const FIRST_AGAIN_MS = 250
const LONGEST_AGAIN_MS = 2_000
/** Of the server, within one start; afterwards it is told each time, and tried again. */
const MOST_FAILURES = { first: 20, again: 3 }

/** @throws StartError with a plain sentence, also when another Mailstead owns DATA_DIR. */
export const startEmbeddedPostgres = async (
  wanted: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const dataDir = realpathSync(wanted.dataDir)
  const options: ServerOptions = {
    dataDir,
    runtime: findRuntime(dataDir),
    socketFolder: chooseSocketFolder(dataDir),
    maxConnections: wanted.maxConnections ?? 60,
    isDurable: wanted.isDurable ?? true,
  }
  await makeCluster(dataDir, options.runtime, options.isDurable)
  let isStopping = false
  const keep = async (lock: pg.Client): Promise<pg.Client> => {
    lock.once('end', () => {
      if (isStopping) return
      holder = ownAgain().then(keep)
      // It ends only when it is told to stop.
      holder.catch(() => {})
    })
    return lock
  }
  /** What ran a moment ago and does not start, as on a full disk, starts when somebody has mended it. */
  const ownAgain = async (): Promise<pg.Client> => {
    for (let waitMs = FIRST_AGAIN_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_AGAIN_MS)) {
      try {
        return await own(options, MOST_FAILURES.again)
      } catch (error) {
        if (isStopping) throw error
        if (waitMs === FIRST_AGAIN_MS) wanted.onTrouble?.(error as Error)
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
  let holder = own(options, MOST_FAILURES.first).then(keep)
  await holder
  removeHalfMadeClusters(dataDir)
  return {
    connection: { ...addressOf(options), database: DATABASE },
    stop: async () => {
      isStopping = true
      const lock = await holder.catch(() => null)
      if (lock) {
        await waitForOthers(lock)
        // The lock goes with the server, so nobody can start between the two.
        await stop(options)
      }
      await lock?.end().catch(() => {})
    },
  }
}

/** Starts the server unless it runs, and takes the lock. Answers the connection that holds it. */
const own = async (options: ServerOptions, mostFailures: number): Promise<pg.Client> => {
  const client = await connect(options, mostFailures)
  try {
    await takeLock(client, options.dataDir)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** A pool says that it has ended when its last goodbyes are still on their way; cut off, they would look like a fault. */
const waitForOthers = async (lock: pg.Client): Promise<void> => {
  const deadline = Date.now() + GOODBYES_MS
  const isAnybodyThere = async () => {
    const { rowCount } = await lock.query(
      `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rowCount !== 0
  }
  while (Date.now() < deadline && (await isAnybodyThere().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 10))
}

const connect = async (options: ServerOptions, mostFailures: number): Promise<pg.Client> => {
  let deadline = Date.now() + START_TIMEOUT_MS
  let server: ServerProcess | null = null
  let failures = 0
  while (true) {
    if (!server && !(await isRunning(options))) server = launch(options)
    try {
      const client = await open(options)
      learnSocketFolder(options)
      return client
    } catch (error) {
      if (!isNotYet(error)) throw explained(error, options)
      // Recovery after a crash takes as long as it takes.
      if (codeOf(error) === '57P03') deadline = Date.now() + START_TIMEOUT_MS
      if (Date.now() > deadline) throw startFailed(options.dataDir)
    }
    if (server?.hasEnded()) {
      // Another start was quicker, or the backends of a killed server still hold its memory.
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (++failures > mostFailures && !(await isRunning(options)))
        throw startFailed(options.dataDir)
      server = null
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

const open = async (options: ServerOptions): Promise<pg.Client> => {
  const client = new pg.Client({
    ...addressOf(options),
    database: 'postgres',
    application_name: ownerName,
  })
  // Without a listener a lost connection would end the process; 'end' follows and is what we act on.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** The server may have been started by another process, in another folder. */
const learnSocketFolder = (options: ServerOptions): void => {
  const actual = socketFolderOf(options.dataDir)
  if (actual === null || actual === options.socketFolder) return
  removeStray(options.socketFolder)
  options.socketFolder = actual
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? '')

/** No socket yet, or the server is starting, recovering or shutting down (57P03). */
const isNotYet = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', '57P01'].includes(codeOf(error)) ||
  reasonOf(error) === 'Connection terminated unexpectedly'

const explained = (error: unknown, { dataDir }: ServerOptions): unknown =>
  codeOf(error) === '28P01'
    ? new StartError(
        `The password in ${dataDir}/database-password is not that of the database beside it. Please bring the file back.`,
      )
    : error

const addressOf = ({ dataDir, socketFolder }: ServerOptions) => ({
  // A folder that starts with '/' is a Unix socket to pg.
  host: socketFolderOf(dataDir) ?? socketFolder,
  port: 5432,
  user: SUPERUSER,
  password: passwordOf(dataDir),
})
