/** The database for a short errand, beside the program that is running on it or without one. */
import { existsSync, realpathSync } from 'node:fs'
import pg from 'pg'
import { StartError } from '../lib/start-error.ts'
import { openDatabase } from './database.ts'
import { passwordOf, SUPERUSER } from './embedded-postgres/cluster.ts'
import { clusterFolder } from './embedded-postgres/runtime.ts'
import { socketFolderOf } from './embedded-postgres/server-process.ts'
import {
  type DatabasePlace,
  openStorage,
  type Storage,
  type StorageEvents,
} from './open-storage.ts'

/** @throws StartError when there is no database to visit. */
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
