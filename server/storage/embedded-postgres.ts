/**
 * The PostgreSQL that we bring along: one cluster in DATA_DIR, reached by a Unix socket only, owned by one
 * Mailstead at a time. It survives kill -9 of its owner, and the next start takes it over.
 */
import { mkdirSync, realpathSync } from 'node:fs'
import pg from 'pg'
import { reasonOf, StartError } from '../lib/start-error.ts'
import {
  makeCluster,
  passwordOf,
  removeHalfMadeClusters,
  SUPERUSER,
} from './embedded-postgres-cluster.ts'
import { findRuntime } from './embedded-postgres-runtime.ts'
import {
  isRunning,
  launch,
  type ServerOptions,
  type ServerProcess,
  socketFolderOf,
  startFailed,
  stop,
} from './embedded-postgres-server.ts'

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
  /** The server went away and could not be brought back. */
  onLost: (error: Error) => void
}

const DATABASE = 'mailstead'
/** Any number, the same in all versions. */
const LOCK = 20_260_001
/** After a kill -9 the kernel closes the old owner's connection, and PostgreSQL notices a moment later. */
const LOCK_TIMEOUT_MS = 400
const START_TIMEOUT_MS = 60_000

/** @throws StartError with a plain sentence, also when another Mailstead owns DATA_DIR. */
export const startEmbeddedPostgres = async (
  wanted: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const dataDir = realpathSync(wanted.dataDir)
  mkdirSync(dataDir, { recursive: true })
  const options: ServerOptions = {
    dataDir,
    runtime: findRuntime(dataDir),
    maxConnections: wanted.maxConnections ?? 60,
    isDurable: wanted.isDurable ?? true,
  }
  await makeCluster(dataDir, options.runtime, options.isDurable)
  let lock = await own(options)
  let isStopping = false
  const watch = () =>
    lock.once('end', () => {
      if (isStopping) return
      own(options).then(
        (again) => {
          lock = again
          watch()
        },
        (error: unknown) => wanted.onLost(new Error(`PostgreSQL is gone: ${reasonOf(error)}`)),
      )
    })
  watch()
  removeHalfMadeClusters(dataDir)
  return {
    connection: { ...addressOf(options), database: DATABASE },
    stop: async () => {
      isStopping = true
      // The lock goes with the server, so nobody can start between the two.
      await stop(options)
      await lock.end().catch(() => {})
    },
  }
}

/** Starts the server unless it runs, and takes the lock. Answers the connection that holds it. */
const own = async (options: ServerOptions): Promise<pg.Client> => {
  const client = await connect(options)
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const isTaken = error instanceof pg.DatabaseError && error.code === '55P03'
    throw isTaken ? new StartError(alreadyRunning(options.dataDir)) : error
  }
}

const alreadyRunning = (dataDir: string): string =>
  `Mailstead is already running on this DATA_DIR (${dataDir}). Please stop it first, or choose another DATA_DIR.`

const connect = async (options: ServerOptions): Promise<pg.Client> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  let server: ServerProcess | null = null
  let starts = 0
  while (true) {
    if (!server && !(await isRunning(options))) {
      server = launch(options)
      starts += 1
    }
    const client = new pg.Client({ ...addressOf(options), database: 'postgres' })
    // Without a listener a lost connection would end the process; 'end' follows and is what we act on.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (!isNotYet(error)) throw error
      if (Date.now() > deadline) throw startFailed(options.dataDir)
    }
    if (server?.hasEnded()) {
      // Another start was quicker, or backends of a killed server still hold its memory.
      if (starts >= 50) throw startFailed(options.dataDir)
      server = null
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

/** No socket yet, or the server is starting, recovering or shutting down (57P03). */
const isNotYet = (error: unknown): boolean => {
  const { code, message } = error as NodeJS.ErrnoException
  return (
    ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', '57P01'].includes(code ?? '') ||
    message === 'Connection terminated unexpectedly'
  )
}

const addressOf = ({ dataDir }: ServerOptions) => ({
  // A folder that starts with '/' is a Unix socket to pg.
  host: socketFolderOf(dataDir) ?? '/nonexistent',
  port: 5432,
  user: SUPERUSER,
  password: passwordOf(dataDir),
})
