import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'
import { ask } from '#test-world/postgres/postgres-owner.ts'
import { openDatabase } from '../database.ts'
import { migrateSchema, type Schema } from '../migrate.ts'
import { schema } from '../open-storage.ts'

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})
const kept = async (): Promise<TestDatabase> => {
  const database = await aDatabase()
  databases.push(database)
  return database
}

/** A program of the next release, whose migration takes an index that was built before it. */
const next: Schema = {
  ...schema,
  migrations: {
    ...schema.migrations,
    '9998-emails': {
      builds: { users_by_second_email: { kind: 'index', on: 'users (email, id)' } },
      up: async () => {},
    },
  },
}

const BUILDING =
  "select indisvalid from pg_index where indexrelid = to_regclass('users_by_second_email')"
const PERSON =
  "insert into users (id, email, first_name, last_name, created_at) values (gen_random_uuid(), 'ada@example.com', 'Ada', 'Lovelace', now())"

/** Who reads keeps the index from being complete, and nobody from writing. */
const aReader = async ({ connection }: TestDatabase) => {
  const reader = new pg.Client(connection)
  await reader.connect()
  await reader.query('begin isolation level repeatable read')
  await reader.query('select from users')
  return {
    end: async () => {
      await reader.query('commit')
      await reader.end()
    },
  }
}

test('others read and write while an index is built', async () => {
  const database = await kept()
  const { db, connection } = database
  const reader = await aReader(database)
  const said: string[] = []
  const migrated = migrateSchema(db, next, (line) => void said.push(line))
  await expect.poll(() => ask(connection, BUILDING)).toEqual([{ indisvalid: false }])
  await ask(connection, PERSON)
  expect(await ask(connection, 'select email from users')).toEqual([{ email: 'ada@example.com' }])
  await reader.end()
  await migrated
  expect(await ask(connection, BUILDING)).toEqual([{ indisvalid: true }])
  expect(said).toEqual([expect.stringMatching(/^Indexes of the mail are built/)])
})

test('what a killed process left half built is built again', async () => {
  const database = await kept()
  const { db, connection } = database
  const reader = await aReader(database)
  const killed = migrateSchema(db, next).catch((error: unknown) => error)
  await expect.poll(() => ask(connection, BUILDING)).toEqual([{ indisvalid: false }])
  await ask(
    connection,
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%' and pid <> pg_backend_pid()",
  )
  expect(await killed).toBeInstanceOf(Error)
  await reader.end()
  expect(await ask(connection, BUILDING)).toEqual([{ indisvalid: false }])
  await migrateSchema(db, next)
  expect(await ask(connection, BUILDING)).toEqual([{ indisvalid: true }])
})

test('two processes that start at once build it once, before the migration that takes it', async () => {
  const { connection } = await kept()
  const pools = [1, 2].map(() => openDatabase({ connection, maxConnections: 2 }, () => {}))
  const found: unknown[] = []
  const migrations: Schema['migrations'] = {
    ...schema.migrations,
    // Who waits for it would do the next one at once.
    '9997-before': { up: async (db) => void (await sql`select pg_sleep(0.5)`.execute(db)) },
    '9998-emails': {
      ...next.migrations['9998-emails'],
      up: async (db) => void found.push(...(await sql.raw(BUILDING).execute(db)).rows),
    },
  }
  try {
    await Promise.all(pools.map((pool) => migrateSchema(pool, { ...schema, migrations })))
    expect(found).toEqual([{ indisvalid: true }])
    const done = await ask(connection, "select from kysely_migration where name = '9998-emails'")
    expect(done).toHaveLength(1)
  } finally {
    for (const pool of pools) await pool.destroy()
  }
})
