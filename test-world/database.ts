/** A fresh, migrated database for one test file, on a real PostgreSQL. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { migrate, migratorOf, schema } from '#server/storage/open-storage.ts'
import { TEMPLATE } from './postgres/for-test-run.ts'

export type TestDatabase = {
  db: Database
  /** For further connections: LISTEN, a second pool, a job runner. */
  connection: pg.ClientConfig
  /** The same as a URL for DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

export const aDatabase = (): Promise<TestDatabase> => cloneOf(TEMPLATE)

/** A database without tables, for tests of migrations. */
export const anEmptyDatabase = (): Promise<TestDatabase> => cloneOf('template1')

const cloneOf = async (template: string): Promise<TestDatabase> => {
  const name = `test_${randomBytes(8).toString('hex')}`
  // As files: through the log, as is usual, every page is written twice.
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const connection = { ...inject('postgres'), database: name }
  const { user, password, host } = connection
  const db = openDatabase({ connection, maxConnections: 10 }, () => {})
  let isDropped = false
  return {
    db,
    connection,
    url: `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}/${name}`,
    drop: async () => {
      if (isDropped) return
      isDropped = true
      await db.destroy()
      await administer(`drop database ${name} with (force)`)
    },
  }
}

const administer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** As the release before made it, and this version brought it up to date: what waits for `upgrade finish` is not done. */
export const anUpgradedDatabase = async (
  before: (db: Database) => Promise<void> = async () => {},
): Promise<TestDatabase> => {
  const database = await anEmptyDatabase()
  const { error } = await migratorOf(database.db).migrateTo(schema.lastRelease)
  if (error !== undefined) throw error
  await before(database.db)
  await migrate(database.db)
  return database
}
