/**
 * The step to a newer PostgreSQL, by itself at a start that finds a database of an older one (decision 114). The old cluster is only
 * read. All is copied into a new one beside it, compared, and then the folders change places. A start that is killed anywhere is
 * followed by one that begins again, or goes on where both are complete.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { diskSpaceOf, madeOnce, syncFolder } from '../../lib/files/data-folder.ts'
import { reasonOf, StartError } from '../../lib/ports/bound-ports.ts'
import { sizeText } from '../../lib/size-text.ts'
import { quoted, tablesOf } from '../copied-tables.ts'
import { type Database, openDatabase } from '../database.ts'
import { passwordOf, tryRun } from '../embedded-postgres/cluster.ts'
import {
  bundledMajor,
  clusterFolder,
  clusterMajor,
  findRuntime,
  type PostgresRuntime,
} from '../embedded-postgres/runtime.ts'
import {
  chooseSocketFolder,
  type ServerOptions,
  stop,
  stopServerOf,
} from '../embedded-postgres/server-process.ts'
import {
  addressOf,
  DATABASE,
  own,
  startEmbeddedPostgres,
} from '../embedded-postgres/start-embedded-postgres.ts'
import { namesDone } from '../migrations/records.ts'
import { withConnection } from '../own-connection.ts'
import { type Copied, copyDatabase } from './copy-database.ts'
import { keptClusters, keptFolder } from './kept-clusters.ts'
import { fetchOlder, olderRuntime, removeOlder } from './older-postgres.ts'

type Options = {
  say?: (line: string) => void
  /** Gives an empty database the schema as it was after this migration. @throws StartError */
  makeSchema: (db: Database, until: string) => Promise<void>
}

/** Does nothing when the cluster is of the version that the program brings. @throws StartError */
export const carryOver = async (
  folder: string,
  { say = () => {}, makeSchema }: Options,
): Promise<void> => {
  if (!existsSync(folder)) return
  const dataDir = realpathSync(folder)
  changePlaces(dataDir)
  const [major, newer] = [clusterMajor(clusterFolder(dataDir)), bundledMajor()]
  if (major === null || major === newer) {
    removeFolder(nextOf(dataDir))
    return sayKept(dataDir, say)
  }
  if (major > newer)
    throw new StartError(
      `The database in ${dataDir} is of PostgreSQL ${major}, and this version of Mailstead brings ${newer}. Please start the version that it was made with, or a newer one.`,
    )
  say(
    `The database is of PostgreSQL ${major}. It is carried over to PostgreSQL ${newer}, which this version brings; the old one is only read ...`,
  )
  await checkRoom(dataDir)
  await fetchOlder(dataDir, major)
  const { rows, tables } = await carry(dataDir, major, makeSchema)
  say(`${rows} rows of ${tables} tables are carried over and compared.`)
  sayKept(dataDir, say)
}

/** What `carryOver` would fetch, ahead of it. @throws StartError */
export const fetchForOlder = async (dataDir: string): Promise<void> => {
  const major = clusterMajor(clusterFolder(dataDir))
  if (major !== null && major < bundledMajor()) await fetchOlder(dataDir, major)
}

const sayKept = (dataDir: string, say: (line: string) => void): void => {
  const all = keptClusters(dataDir)
  if (all.length > 0) removeOlder(dataDir)
  for (const kept of all)
    say(`The database as it was in the older PostgreSQL is kept at ${kept} until the next backup.`)
}

/** A folder like DATA_DIR, in which the new cluster is made. */
const nextOf = (dataDir: string): string => join(dataDir, 'postgres-next')

/** In the folder of the new cluster when it is complete: how the old one was then. */
const markIn = (dataDir: string): string => join(nextOf(dataDir), 'complete')

/**
 * The folders change places, one rename after another: where a start is killed between two, the next one goes on. No server runs on
 * either, since one that is moved while it runs still writes where it was.
 */
const changePlaces = (dataDir: string): void => {
  const [cluster, next, mark] = [clusterFolder(dataDir), nextOf(dataDir), markIn(dataDir)]
  if (!existsSync(mark)) return
  if (existsSync(cluster) && existsSync(clusterFolder(next))) {
    // An older Mailstead has worked with it since.
    if (readFileSync(mark, 'utf8') !== stateOf(cluster)) {
      rmSync(mark)
      return
    }
    renameSync(cluster, keptFolder(dataDir, clusterMajor(cluster) ?? 0))
    syncFolder(dataDir)
  }
  if (!existsSync(cluster)) renameSync(clusterFolder(next), cluster)
  syncFolder(dataDir)
  removeFolder(next)
}

/** Changes with each start of a server on it. */
const stateOf = (cluster: string): string =>
  createHash('sha256')
    .update(readFileSync(join(cluster, 'global', 'pg_control')))
    .digest('hex')

/** A server that was killed a moment ago may still write there. */
const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

const carry = async (
  dataDir: string,
  major: number,
  makeSchema: Options['makeSchema'],
): Promise<Copied> => {
  const runtime = findRuntime(dataDir)
  const old: ServerOptions = {
    ...{ dataDir, runtime: olderRuntime(dataDir, major, runtime) },
    ...{ socketFolder: chooseSocketFolder(dataDir), maxConnections: 60, isDurable: true },
  }
  // Whoever else starts here is refused from now on, until the old server ends.
  const lock = await own(old)
  const reader = new pg.Client({ ...addressOf(old), database: DATABASE })
  reader.on('error', () => {})
  let copied: Copied
  try {
    await reader.connect()
    const until = await holdStill(reader)
    copied = await fill({ dataDir, runtime, reader, until, makeSchema })
  } catch (error) {
    removeFolder(nextOf(dataDir))
    if (error instanceof StartError) throw error
    throw new StartError(
      `The database could not be carried over from PostgreSQL ${major}: ${reasonOf(error)} It is as it was.`,
    )
  } finally {
    await stop(old)
    await Promise.allSettled([reader.end(), lock.end()])
  }
  removeFolder(keptFolder(dataDir, major))
  madeOnce(markIn(dataDir), () => stateOf(clusterFolder(dataDir)))
  changePlaces(dataDir)
  return copied
}

/**
 * One moment of all tables, which nobody changes until the server ends: neither would what a tool of the older version wrote be
 * carried over. @returns the last migration; null: no schema yet
 */
const holdStill = async (reader: pg.Client): Promise<string | null> => {
  await reader.query("set datestyle = 'ISO'")
  const names = (await tablesOf(reader)).map(({ name }) => quoted(name))
  if (names.length === 0) return null
  await reader.query('begin isolation level repeatable read')
  // First, so that the moment is one after it.
  await reader.query(`lock table ${names.join(', ')} in exclusive mode`)
  return (await namesDone((text) => reader.query(text))).at(-1) ?? null
}

type Filling = {
  dataDir: string
  runtime: PostgresRuntime
  reader: pg.Client
  until: string | null
  makeSchema: Options['makeSchema']
}

/** Makes the new cluster, fills it, and stops its server. Afterwards all of it is on the disk. */
const fill = async ({ dataDir, runtime, reader, until, makeSchema }: Filling): Promise<Copied> => {
  const next = nextOf(dataDir)
  await stopServerOf(clusterFolder(next), runtime)
  removeFolder(next)
  mkdirSync(next, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  madeOnce(join(next, 'database-password'), () => passwordOf(dataDir))
  const postgres = await startEmbeddedPostgres({ dataDir: next, runtime, isDurable: false })
  let copied: Copied = { tables: 0, rows: 0 }
  try {
    if (until !== null) {
      const db = openDatabase({ connection: postgres.connection, maxConnections: 2 }, () => {})
      await makeSchema(db, until).finally(() => db.destroy())
      copied = await withConnection(postgres.connection, 'mailstead carry-over', async (writer) => {
        await writer.query("set datestyle = 'ISO'")
        return copyDatabase(reader, writer)
      })
    }
  } finally {
    await postgres.stop()
  }
  // It ran without fsync, which makes the copy faster.
  const synced = await tryRun(runtime, 'initdb', ['--sync-only', `--pgdata=${clusterFolder(next)}`])
  if (synced.code !== 0) throw new Error(synced.output.trim())
  syncFolder(next)
  return copied
}

/** The new cluster, and its log while it is written. @throws StartError */
const checkRoom = async (dataDir: string): Promise<void> => {
  const cluster = clusterFolder(dataDir)
  let bytes = 0
  for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size
  const { freeBytes } = await diskSpaceOf(dataDir)
  if (freeBytes < bytes * 2)
    throw new StartError(
      `To carry the database over to the newer PostgreSQL, the disk of ${dataDir} needs ${sizeText(bytes * 2)} free, and has ${sizeText(freeBytes)}. Nothing was changed.`,
    )
}
