/**
 * Where rows of a backup wait to be put beside living ones: a schema with tables like the living ones; and for a backup of an older
 * version a database of its own, where the migrations bring it to the present one. Both are dropped at the end.
 */
import { randomBytes } from 'node:crypto'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { reasonOf, StartError } from '../lib/ports/bound-ports.ts'
import { openDatabase } from './database.ts'
import { migrations } from './open-storage.ts'

export type Scratch = {
  /** Finds the tables of the schema by their names, and then the living ones. */
  client: pg.Client
  schema: string
  /** The living schema. */
  living: string
}

const newName = (): string => `restoring_${randomBytes(6).toString('hex')}`

const connected = async <T>(
  connection: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ ...connection, application_name: 'mailstead restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** @throws StartError when the user of the database may make no schema */
export const withScratchTables = <T>(
  connection: pg.ClientConfig,
  use: (scratch: Scratch) => Promise<T>,
): Promise<T> =>
  connected(connection, async (client) => {
    const schema = newName()
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
      await client.query('rollback')
      await client.query(`drop schema ${schema} cascade`)
    }
  })

/** Their names are in the order of their numbers. */
const newest = (): string => Object.keys(migrations).toSorted().at(-1) ?? ''

export const isNewest = (migration: string): boolean => newest() === migration

/** `until`: the last migration of the backup. @throws StartError when it is one of a newer Mailstead, or no database may be made */
export const withOlderDatabase = <T>(
  connection: pg.ClientConfig,
  until: string,
  use: (client: pg.Client, migrate: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  connected(connection, async (maker) => {
    if (!Object.hasOwn(migrations, until))
      throw new StartError(
        'The backup was made by a newer version of Mailstead. Please restore it with that version, or a newer one.',
      )
    const name = newName()
    await maker.query(`create database ${name} template template0`).catch(refuse('database'))
    try {
      const its = databaseOf(connection, name)
      const db = openDatabase({ connection: its, maxConnections: 1 }, () => {})
      const provider = { getMigrations: async () => migrations }
      const migrator = new Migrator({ db, provider })
      const migrateTo = async (last: string) => {
        const { error } = await migrator.migrateTo(last)
        if (error !== undefined) throw error
      }
      try {
        await migrateTo(until)
        return await connected(its, (client) => use(client, () => migrateTo(newest())))
      } finally {
        await db.destroy()
      }
    } finally {
      await maker.query(`drop database ${name} with (force)`)
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
