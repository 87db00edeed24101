/** The database that this installation uses, whichever it is, migrated and ready. */

import { existsSync, realpathSync } from 'node:fs'
import pg from 'pg'
import { reasonOf, StartError } from '../lib/ports/bound-ports.ts'
import { type Database, openDatabase } from './database.ts'
import { passwordOf, SUPERUSER } from './embedded-postgres/cluster.ts'
import { clusterFolder } from './embedded-postgres/runtime.ts'
import { socketFolderOf } from './embedded-postgres/server-process.ts'
import { migrate } from './migrate.ts'
import { type Sockets, trackSockets } from './sockets.ts'

/** The settings that say where it is. */
export type DatabasePlace = { databaseUrl: string | null; dataDir: string }

export type Storage = {
  db: Database
  connection: pg.ClientConfig
  /** All that were opened with `connection`, and those of `db`. */
  sockets: Sockets
  /** Stops our own PostgreSQL too. */
  close(): Promise<void>
}

export type StorageEvents = {
  onError: (error: Error) => void
  isSilent?: () => boolean
  /** Our own PostgreSQL does not start again yet. Once for each time that it was lost. */
  onTrouble?: (error: Error) => void
}

const OLDEST_POSTGRES = 14
/** Of one process. Ours has 60 places: this pool, the job runner's, and single connections. */
const MAX_CONNECTIONS = 20

export const openStorage = async (
  config: DatabasePlace,
  events: StorageEvents,
): Promise<Storage> => {
  const server = await reachServer(config, events)
  const sockets = trackSockets()
  const connection = sockets.tracked(server.connection)
  const db = openDatabase(
    { connection, maxConnections: MAX_CONNECTIONS },
    events.onError,
    events.isSilent,
  )
  const close = async () => {
    await db.destroy()
    await server.stop()
  }
  try {
    await migrate(db)
  } catch (error) {
    await close()
    throw error
  }
  return { db, connection, sockets, close }
}

const reachServer = async (config: DatabasePlace, { onTrouble }: StorageEvents) => {
  if (config.databaseUrl !== null) {
    await checkOutsideServer(config.databaseUrl)
    return { connection: { connectionString: config.databaseUrl }, stop: async () => {} }
  }
  const { startEmbeddedPostgres } = await import('./embedded-postgres/start-embedded-postgres.ts')
  return startEmbeddedPostgres({ dataDir: config.dataDir, ...(onTrouble && { onTrouble }) })
}

const checkOutsideServer = async (databaseUrl: string): Promise<void> => {
  const where = databaseUrl.replace(/\/\/[^@]*@/, '//').replace(/\?.*$/, '')
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    const version = Number(rows[0]?.server_version_num) / 10_000
    if (version < OLDEST_POSTGRES)
      throw new StartError(
        `DATABASE_URL is ${where}, which is PostgreSQL ${Math.floor(version)}; Mailstead needs ${OLDEST_POSTGRES} or newer.`,
      )
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATABASE_URL is ${where}, which cannot be reached: ${whyNot(error)}.`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** A name with several addresses fails with one error for each. */
const whyNot = (error: unknown): string =>
  error instanceof AggregateError
    ? [...new Set(error.errors.map(reasonOf))].join(', ')
    : reasonOf(error)

/**
 * The database for a short errand, beside the program that is running on it or without one.
 * @throws StartError when there is no database to visit.
 */
export const visitStorage = async (
  config: DatabasePlace,
  events: StorageEvents,
): Promise<Omit<Storage, 'sockets'>> => {
  if (config.databaseUrl !== null) return openStorage(config, events)
  if (!existsSync(config.dataDir) || !existsSync(clusterFolder(realpathSync(config.dataDir))))
    throw new StartError(
      `DATA_DIR is ${config.dataDir}, where no Mailstead has been started yet. Please choose its DATA_DIR.`,
    )
  const connection = await runningServer(realpathSync(config.dataDir))
  if (connection === null) return openStorage(config, events)
  const db = openDatabase({ connection, maxConnections: 1 }, events.onError)
  return { db, connection, close: () => db.destroy() }
}

const runningServer = async (dataDir: string): Promise<pg.ClientConfig | null> => {
  const host = socketFolderOf(dataDir)
  if (host === null) return null
  const password = passwordOf(dataDir)
  const connection = { host, port: 5432, user: SUPERUSER, password, database: 'mailstead' }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return connection
  } catch {
    return null
  } finally {
    await client.end().catch(() => {})
  }
}
