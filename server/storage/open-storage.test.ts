import { afterEach, expect, test } from 'vitest'
import { anEmptyDatabase, type TestDatabase } from '#test-world/database.ts'
import { ask } from '#test-world/postgres/postgres-owner.ts'
import { openDatabase } from './database.ts'
import { recall } from './installation.ts'
import { migrate } from './open-storage.ts'

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})
const kept = async (database: Promise<TestDatabase>): Promise<TestDatabase> => {
  databases.push(await database)
  return database
}

test('an empty database gets every table, and a second start changes nothing', async () => {
  const { db, connection } = await kept(anEmptyDatabase())
  await migrate(db)
  const read = () =>
    ask(connection, "select tablename from pg_tables where schemaname = 'public' order by 1")
  const tables = await read()
  expect(tables).toContainEqual({ tablename: 'outbox_messages' })
  await db.insertInto('installation').values({ key: 'kept', value: 'yes' }).execute()
  await migrate(db)
  expect(await read()).toEqual(tables)
  expect(await recall(db, 'kept')).toBe('yes')
})

test('four processes that start at once on an empty database do it once', async () => {
  const { connection } = await kept(anEmptyDatabase())
  const pools = [1, 2, 3, 4].map(() => openDatabase({ connection, maxConnections: 2 }, () => {}))
  try {
    await Promise.all(pools.map((pool) => migrate(pool)))
    const done = await ask(connection, 'select name from kysely_migration')
    expect(new Set(done.map(({ name }) => name)).size).toBe(done.length)
    expect(done.length).toBeGreaterThan(0)
  } finally {
    for (const pool of pools) await pool.destroy()
  }
})
