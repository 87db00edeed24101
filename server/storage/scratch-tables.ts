/**
 * Where rows of a backup wait to be put beside living ones: a schema with tables like the living ones; and for a backup of an older
 * version a database of its own, where the migrations bring it to the present one. Both are dropped at the end.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { reasonOf, StartError } from '../lib/ports/bound-ports.ts'
import { openDatabase } from './database.ts'
import { BACKUP_IS_NEWER } from './empty-storage.ts'
import { migrations } from './migrations.ts'
import { migrate, migrateUntil } from './open-storage.ts'
import { withConnection } from './own-connection.ts'

export type Scratch = {
  /** Finds the tables of the schema by their names, and then the living ones. */
  client: pg.Client
  schema: string
  /** The living schema. */
  living: string
}

/** Leftovers of this database are known by their names: other ones of the server may be at a restore of theirs. */
const startOfNames = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ start: string }>(
    `select 'restoring_' || oid || '_' as start from pg_database where datname = current_database()`,
  )
  return rows[0]?.start ?? 'restoring_'
}

/** What restores left whose connection broke, as of a killed process. */
export const dropLeftovers = (connection: pg.ClientConfig): Promise<void> =>
  connected(connection, async (client) => dropLeft(client, await startOfNames(client)))

const dropLeft = async (client: pg.Client, start: string): Promise<void> => {
  const { rows } = await client.query<{ name: string; what: 'schema' | 'database' }>(
    `select nspname::text as name, 'schema' as what from pg_namespace where starts_with(nspname, $1)
    union all select datname, 'database' from pg_database where starts_with(datname, $1)`,
    [start],
  )
  for (const { name, what } of rows) {
    if (!(await lock(client, name))) continue
    await drop(client, what, name)
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
  }
}

/** The name is locked as long as the client is connected. */
const newName = async (client: pg.Client): Promise<string> => {
  const start = await startOfNames(client)
  await dropLeft(client, start)
  const name = start + randomBytes(6).toString('hex')
  await lock(client, name)
  return name
}

const lock = async (client: pg.Client, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ isMine: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isMine"',
    [name],
  )
  return rows[0]?.isMine === true
}

/** What cannot be dropped now is dropped another day, and hides no other error. */
const drop = async (
  client: pg.Client,
  what: 'schema' | 'database',
  name: string,
): Promise<void> => {
  const command = `drop ${what} if exists ${name} ${what === 'schema' ? 'cascade' : 'with (force)'}`
  await client.query(command).catch(() => {})
}

const connected = <T>(
  connection: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> => withConnection(connection, 'mailstead restore', use)

/** @throws StartError when the user of the database may make no schema */
export const withScratchTables = <T>(
  connection: pg.ClientConfig,
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> =>
  connected(connection, async (client) => {
    const schema = await newName(client)
    const { rows } = await client.query<{ living: string; tables: string[] }>(
      `select current_schema() as living, (select array_agg(relname::text) from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely%') as tables`,
    )
    const { living = 'public', tables = [] } = rows[0] ?? {}
    await client.query(`create schema ${schema}`).catch(refuse('schema'))
    try {
      for (const table of tables)
        await client.query(
          `create table ${schema}."${table}" (like "${living}"."${table}" including generated)`,
        )
      await client.query(`set search_path to ${schema}, "${living}"`)
      return await use({ client, schema, living })
    } finally {
      // Of what broke off, if anything did.
      await client.query('rollback').catch(() => {})
      await drop(client, 'schema', schema)
    }
  })

/** Their names are in the order of their numbers. What waits changes keys and no columns. */
export const isNewest = (migration: string): boolean => {
  const last = Object.entries(migrations).findLast(([, { waits }]) => waits !== true)
  return Object.hasOwn(migrations, migration) && migration >= (last?.[0] ?? '')
}

/** `until`: the last migration of the backup. @throws StartError when it is one of a newer Mailstead, or no database may be made */
export const withOlderDatabase = <T>(
  connection: pg.ClientConfig,
  until: string,
  use: (client: pg.Client, migrate: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  connected(connection, async (maker) => {
    if (!Object.hasOwn(migrations, until)) throw new StartError(BACKUP_IS_NEWER)
    const name = await newName(maker)
    await maker.query(`create database ${name} template template0`).catch(refuse('database'))
    try {
      const its = databaseOf(connection, name)
      const db = openDatabase({ connection: its, maxConnections: 1 }, () => {})
      try {
        await migrateUntil(db, until)
        return await connected(its, (client) => use(client, () => migrate(db)))
      } finally {
        await db.destroy()
      }
    } finally {
      await drop(maker, 'database', name)
    }
  })

const databaseOf = (connection: pg.ClientConfig, name: string): pg.ClientConfig => {
  const { connectionString, ...rest } = connection
  if (connectionString === undefined) return { ...rest, database: name }
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return { ...rest, connectionString: url.href }
}

const refuse =
  (what: 'schema' | 'database') =>
  (error: unknown): never => {
    throw new StartError(
      `The restore needs a ${what} of its own for a while, and the user of DATABASE_URL may make none: ${reasonOf(error)}.`,
    )
  }
