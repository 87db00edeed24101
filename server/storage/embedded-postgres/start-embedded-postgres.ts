/**
 * Our embedded PostgreSQL: one cluster in DATA_DIR, reachable only by a Unix socket, owned by one Mailstead at a time. It
 * survives kill -9 of its owner, and the next start takes it over (decision 001).
 */
import { realpathSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { reasonOf, StartError } from '../../lib/ports/bound-ports.ts'
import { backoff } from '../../lib/wait.ts'
import { makeCluster, passwordOf, removeHalfMadeClusters, SUPERUSER } from './cluster.ts'
import { findRuntime, type PostgresRuntime } from './runtime.ts'
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
  /** Connects to the product's database. */
  connection: pg.ClientConfig & { host: string; user: string; password: string; database: string }
  /** Stops the server and releases DATA_DIR. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  maxConnections?: number
  /** false: no fsync, for tests. */
  isDurable?: boolean
  /** Another PostgreSQL than that of the package, or under another account. */
  runtime?: PostgresRuntime
  /** Called once per outage, when the server cannot be restarted yet; the restart is retried. */
  onTrouble?: (error: Error) => void
}

export const DATABASE = 'mailstead'
const START_TIMEOUT_MS = 60_000
const GOODBYES_MS = 500
const AGAIN_MS = { first: 250, longest: 2_000 }
/**
 * Failed server starts within one attempt. `first`: then the start fails; `again`: then onTrouble is called and the restart is
 * retried.
 */
const MOST_FAILURES = { first: 20, again: 3 }

/** @throws StartError with a plain sentence, also when another Mailstead owns DATA_DIR. */
export const startEmbeddedPostgres = async (
  wanted: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const dataDir = realpathSync(wanted.dataDir)
  const options: ServerOptions = {
    dataDir,
    runtime: wanted.runtime ?? findRuntime(dataDir),
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
      // Rejects only while stopping.
      holder.catch(() => {})
    })
    return lock
  }
  /** Restarts a server that ran before: one that cannot start, as on a full disk, starts after the operator's repair. */
  const ownAgain = async (): Promise<pg.Client> => {
    for (let failures = 1; ; failures++) {
      try {
        return await own(options, MOST_FAILURES.again)
      } catch (error) {
        if (isStopping) throw error
        if (failures === 1) wanted.onTrouble?.(error as Error)
      }
      await wait(backoff(failures, AGAIN_MS))
    }
  }
  let holder = own(options).then(keep)
  await holder
  removeHalfMadeClusters(dataDir)
  return {
    connection: { ...addressOf(options), database: DATABASE },
    stop: async () => {
      isStopping = true
      const lock = await holder.catch(() => null)
      if (lock) {
        await waitForOthers(lock)
        // The lock ends together with the server, so no other process can start in between.
        await stop(options)
      }
      await lock?.end().catch(() => {})
    },
  }
}

/** Starts the server unless it runs, and takes the lock. Returns the connection that holds the lock. */
export const own = async (
  options: ServerOptions,
  mostFailures = MOST_FAILURES.first,
): Promise<pg.Client> => {
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

/** An arbitrary number, the same in all versions. */
const LOCK = 20_260_001
const PREFIX = 'mailstead owner '
const TIMEOUT_MS = 5_000

/** The application_name of the lock's connection; it tells other processes the pid of the owner. */
export const ownerName = `${PREFIX}${process.pid}`

/**
 * Allows one Mailstead per DATA_DIR: an advisory lock on a connection that lives as long as its owner.
 * After kill -9, PostgreSQL notices only a moment later that the previous owner's connection is closed.
 */
export const takeLock = async (client: pg.Client, dataDir: string): Promise<void> => {
  const deadline = Date.now() + TIMEOUT_MS
  while (true) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as got', [LOCK])
    if (rows[0]?.got) return
    if ((await isHolderAlive(client)) || Date.now() > deadline)
      throw new StartError(alreadyRunning(dataDir))
    await wait(20)
  }
}

const isHolderAlive = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = $1 and granted`,
    [LOCK],
  )
  // The holder has just released the lock.
  if (!rows[0]) return false
  try {
    return process.kill(Number(rows[0].name.slice(PREFIX.length)), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const alreadyRunning = (dataDir: string): string =>
  `Mailstead is already running on this DATA_DIR (${dataDir}). Please stop it first, or choose another DATA_DIR.`

/** A pool reports its end before its last messages are sent; a cut connection would look like a fault. */
const waitForOthers = async (lock: pg.Client): Promise<void> => {
  const deadline = Date.now() + GOODBYES_MS
  const isAnybodyThere = async () => {
    const { rowCount } = await lock.query(
      `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rowCount !== 0
  }
  while (Date.now() < deadline && (await isAnybodyThere().catch(() => false))) await wait(10)
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
      // Crash recovery may take any time.
      if (codeOf(error) === '57P03') deadline = Date.now() + START_TIMEOUT_MS
      if (Date.now() > deadline) throw startFailed(options.dataDir)
    }
    if (server?.hasEnded()) {
      // Another start was faster, or the backends of a killed server still hold its shared memory.
      await wait(100)
      if (++failures > mostFailures && !(await isRunning(options)))
        throw startFailed(options.dataDir)
      server = null
    }
    await wait(15)
  }
}

const open = async (options: ServerOptions): Promise<pg.Client> => {
  const client = new pg.Client({
    ...addressOf(options),
    database: 'postgres',
    application_name: ownerName,
  })
  // Without a listener a lost connection would end the process; the handler of 'end' does the work.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Another process may have started the server with another socket folder. */
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

export const addressOf = ({ dataDir, socketFolder }: ServerOptions) => ({
  // pg treats a host that begins with '/' as the folder of a Unix socket.
  host: socketFolderOf(dataDir) ?? socketFolder,
  port: 5432,
  user: SUPERUSER,
  password: passwordOf(dataDir),
})
