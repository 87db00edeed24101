/** Opens the database of this installation, embedded or external, and migrates it. */
import { existsSync, realpathSync } from 'node:fs'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { refuseHalfRestored } from '../lib/files/half-restored.ts'
import { StartError } from '../lib/ports/bound-ports.ts'
import { type Database, openDatabase } from './database.ts'
import { passwordOf, SUPERUSER } from './embedded-postgres/cluster.ts'
import { bundledMajor, clusterFolder, clusterMajor } from './embedded-postgres/runtime.ts'
import { socketFolderOf } from './embedded-postgres/server-process.ts'
import {
  migrateSchema,
  migratorFor,
  NEWER,
  type OwnMigration,
  type Schema,
  waitingIn,
} from './migrate.ts'
import type { SchemaMigrator } from './migrations/records.ts'
import { migrations } from './migrations.ts'
import { reachOutsideServer } from './outside-server.ts'
import { withConnection } from './own-connection.ts'
import { type Sockets, trackSockets } from './sockets.ts'

/** The settings that locate the database. */
export type DatabasePlace = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databasePoolUrl' | 'databaseConnections'>>

export type Storage = {
  db: Database
  /** For what needs a session: LISTEN, locks that outlast a transaction, copies. */
  connection: pg.ClientConfig
  /** The pooler that `db` goes through; null: none. */
  pooled: pg.ClientConfig | null
  /** All sockets that were opened with these two, and those of `db`. */
  sockets: Sockets
  /** Stops our own PostgreSQL too. */
  close(): Promise<void>
}

export type StorageEvents = {
  onError: (error: Error) => void
  isSilent?: () => boolean
  /** Our own PostgreSQL cannot be restarted yet. Called once per outage. */
  onTrouble?: (error: Error) => void
  /** Says what a start does that takes time. */
  say?: (line: string) => void
}

/** Of a process, for its queries. */
const MAX_CONNECTIONS = 20
/** What our own PostgreSQL has besides: for the sessions of its process, and for commands of the operator. */
const CONNECTIONS_BESIDES = 40
/** A command does one thing after the other. */
const CONNECTIONS_OF_COMMAND = 4

/** `beforeUpdate` is called before the schema of an older version changes. */
export const openStorage = (
  config: DatabasePlace,
  events: StorageEvents,
  beforeUpdate: (old: Pick<Storage, 'db' | 'connection'>) => Promise<void> = async () => {},
): Promise<Storage> =>
  openPrepared(config, events, async (db, connection) => {
    if (await isOlder(db)) await beforeUpdate({ db, connection })
    await migrate(db, events.say)
  })

/** A new database is not older. */
const isOlder = async (db: Database): Promise<boolean> => {
  const waiting = await waitingIn(db, schema)
  const all = await migratorOf(db).getMigrations()
  const isDone = all
    .filter(({ name }) => !waiting.includes(name))
    .map(({ executedAt }) => executedAt !== undefined)
  return isDone.includes(true) && isDone.includes(false)
}

/** `prepare` gives the database its schema. */
export const openPrepared = async (
  config: DatabasePlace,
  events: StorageEvents,
  prepare: (db: Database, connection: pg.ClientConfig) => Promise<void>,
): Promise<Storage> => {
  const server = await reachServer(config, events)
  const sockets = trackSockets()
  const connection = sockets.tracked(server.connection)
  const pooled = server.pooled && sockets.tracked(server.pooled)
  const close = async (...opened: Database[]) => {
    for (const each of opened) await each.destroy()
    await server.stop()
  }
  const maxConnections = config.databaseConnections ?? MAX_CONNECTIONS
  // A migration is a long session.
  const direct = openDatabase({ connection, maxConnections }, events.onError, events.isSilent)
  try {
    await prepare(direct, connection)
  } catch (error) {
    await close(direct)
    throw error
  }
  if (pooled === null)
    return { db: direct, connection, pooled, sockets, close: () => close(direct) }
  await direct.destroy()
  const db = openDatabase(
    { connection: pooled, maxConnections, isPooled: true },
    events.onError,
    events.isSilent,
  )
  return { db, connection, pooled, sockets, close: () => close(db) }
}

/** The last migration of the release before this one, beside whose programs this one runs (decision 134). */
const LAST_RELEASE = '0095-keys-of-holders'

export const schema: Schema = { migrations, lastRelease: LAST_RELEASE }

export const migratorOf = (db: Database): SchemaMigrator => migratorFor(db, schema)

/** @throws StartError when the database needs a newer Mailstead */
export const migrate = (db: Database, say?: (line: string) => void): Promise<void> =>
  migrateSchema(db, schema, say)

/**
 * Into an empty database. What waits is left out, unless it ends with it: rows fit into its keys and into those of before.
 * @returns false when this program knows no such migration
 */
export const migrateUntil = async (db: Database, until: string): Promise<boolean> => {
  if (!Object.hasOwn(migrations, until)) return false
  const isWanted = ([name, { waits }]: [string, OwnMigration]) =>
    waits !== true || name <= LAST_RELEASE || migrations[until]?.waits === true
  const wanted = Object.fromEntries(Object.entries(migrations).filter(isWanted))
  const { error } = await migratorFor(db, { ...schema, migrations: wanted }).migrateTo(until)
  if (error !== undefined) throw error
  return true
}

const reachServer = async (
  { databaseUrl, databasePoolUrl, databaseConnections, dataDir }: DatabasePlace,
  { onTrouble, say }: StorageEvents,
) => {
  if (databaseUrl !== null) {
    const { connection, pooled } = await reachOutsideServer(databaseUrl, databasePoolUrl ?? null)
    return { connection, pooled, stop: async () => {} }
  }
  const { carryOver } = await import('./carry-over/carry-over.ts')
  await carryOver(dataDir, { ...(say && { say }), makeSchema })
  const { startEmbeddedPostgres } = await import('./embedded-postgres/start-embedded-postgres.ts')
  const maxConnections = (databaseConnections ?? MAX_CONNECTIONS) + CONNECTIONS_BESIDES
  const started = await startEmbeddedPostgres({
    ...{ dataDir, maxConnections, ...(onTrouble && { onTrouble }) },
  })
  return { ...started, pooled: null }
}

const makeSchema = async (db: Database, until: string): Promise<void> => {
  if (!(await migrateUntil(db, until))) throw new StartError(NEWER)
}

/** Opens the database for a short command, whether or not the program is running. @throws StartError when there is no database */
export const visitStorage = async (
  config: DatabasePlace,
  events: StorageEvents,
): Promise<Omit<Storage, 'sockets' | 'pooled'>> => {
  refuseHalfRestored(config.dataDir)
  if (config.databaseUrl !== null)
    return openStorage({ ...config, databaseConnections: CONNECTIONS_OF_COMMAND }, events)
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
  const impatient = { ...connection, connectionTimeoutMillis: 5_000 }
  try {
    return await withConnection(impatient, 'mailstead visit', async () =>
      // An older one was left by a start that was killed while it carried the database over.
      clusterMajor(clusterFolder(dataDir)) === bundledMajor() ? connection : null,
    )
  } catch {
    return null
  }
}
