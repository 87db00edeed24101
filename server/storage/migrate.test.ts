import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import {
  aDatabase,
  anEmptyDatabase,
  anUpgradedDatabase,
  type TestDatabase,
} from '#test-world/database.ts'
import { ask } from '#test-world/postgres/postgres-owner.ts'
import { StartError } from '../lib/ports/bound-ports.ts'
import { openDatabase } from './database.ts'
import { finishSchema, migrateSchema, type Schema, waitingIn } from './migrate.ts'
import { namesDone } from './migrations/records.ts'
import { migrations } from './migrations.ts'
import { migrate, schema } from './open-storage.ts'

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})
const kept = async (database: Promise<TestDatabase>): Promise<TestDatabase> => {
  databases.push(await database)
  return database
}

const running = (statement: string): Migration => ({
  up: async (db) => void (await sql.raw(statement).execute(db)),
})
const newest = Object.keys(migrations).at(-1) ?? ''

/** A program of the next release, which widens. */
const next: Schema = {
  migrations: {
    ...migrations,
    '9998-next': running('alter table users add column nickname text'),
  },
  lastRelease: newest,
}
/** One of the release after that. */
const later: Schema = {
  migrations: {
    ...next.migrations,
    '9999-later': running('alter table users add column title text'),
  },
  lastRelease: '9998-next',
}

const done = (connection: pg.ClientConfig): Promise<string[]> =>
  namesDone(async (text) => ({ rows: await ask(connection, text) }))

const columnsOfUsers = async ({ connection }: TestDatabase) =>
  (
    await ask(
      connection,
      "select attname::text as name from pg_attribute where attrelid = 'users'::regclass and attnum > 0",
    )
  ).map(({ name }) => name)

test('a program starts on the database of the next release, and the newer one again after it', async () => {
  const { db } = await kept(aDatabase())
  await migrateSchema(db, next)
  await migrate(db)
  await migrateSchema(db, next)
  expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
})

test('a database of the release after the next is refused by this one, and used by the next', async () => {
  const { db } = await kept(aDatabase())
  await migrateSchema(db, later)
  await migrateSchema(db, next)
  const refused = await migrate(db).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartError)
  expect(String(refused)).toContain('This database was made by a newer version of Mailstead.')
})

test('two releases that start at once on an empty database both find theirs', async () => {
  const { connection } = await kept(anEmptyDatabase())
  const pools = [1, 2].map(() => openDatabase({ connection, maxConnections: 2 }, () => {}))
  try {
    await Promise.all(pools.map((pool, n) => migrateSchema(pool, n === 0 ? schema : next)))
    expect(await done(connection)).toEqual(Object.keys(next.migrations).toSorted())
  } finally {
    for (const pool of pools) await pool.destroy()
  }
})

test('a migration that waits for a table lets others pass, and comes when it is free', async () => {
  const database = await kept(aDatabase())
  const { db, connection } = database
  const backup = new pg.Client(connection)
  await backup.connect()
  await backup.query('begin')
  await backup.query('select from users')
  const said: string[] = []
  const migrated = migrateSchema(db, next, (line) => void said.push(line))
  const waiting = "select from pg_locks where not granted and relation = 'users'::regclass"
  await expect.poll(() => ask(connection, waiting)).toHaveLength(1)
  // Stands behind the migration, which gives way.
  expect(await ask(connection, 'select count(*) from users')).toHaveLength(1)
  expect(await columnsOfUsers(database)).not.toContain('nickname')
  await expect.poll(() => said).toEqual([expect.stringMatching(/^The database is updated as soon/)])
  await backup.query('commit')
  await backup.end()
  await migrated
  expect(await columnsOfUsers(database)).toContain('nickname')
})

test('each migration stays when the one after it fails', async () => {
  const database = await kept(aDatabase())
  const broken = {
    ...next.migrations,
    '9999-broken': running('alter table nobody add column a int'),
  }
  await expect(
    migrateSchema(database.db, { migrations: broken, lastRelease: newest }),
  ).rejects.toThrow('nobody')
  expect(await columnsOfUsers(database)).toContain('nickname')
  await migrate(database.db)
})

const ofFirst = 'select name from kysely_migration order by name'
const last = async ({ connection }: TestDatabase) => (await ask(connection, ofFirst)).at(-1)?.name

const anUpgraded = (): Promise<TestDatabase> => kept(anUpgradedDatabase())

test('a program from before the second record finds no migration that it does not know', async () => {
  const database = await anUpgraded()
  expect(await last(database)).toBe('0095-keys-of-holders')
  await migrateSchema(database.db, { ...next, lastRelease: schema.lastRelease })
  expect(await last(database)).toBe('0095-keys-of-holders')
  expect(await done(database.connection)).toContain('9998-next')
})

test('with the next release it is refused', async () => {
  const database = await anUpgraded()
  await migrateSchema(database.db, next)
  expect(await last(database)).toBe('9998-next')
})

test('a new database is refused by it, since nothing of its release was ever here', async () => {
  expect(await last(await kept(aDatabase()))).toBe(newest)
})

test('a database in whose first record a program wrote later ones keeps to that', async () => {
  const database = await kept(aDatabase())
  await migrateSchema(database.db, next)
  expect(await last(database)).toBe('9998-next')
  expect(await columnsOfUsers(database)).toContain('nickname')
})

describe('a migration that waits', () => {
  const waits = { ...running('alter table users drop column nickname'), waits: true as const }
  const after = running('alter table users add column title text')
  /** Of one release: it widens, has something that waits, and widens once more. */
  const release = (...names: string[]): Schema => ({
    migrations: Object.fromEntries(
      Object.entries({ ...next.migrations, '9998-waits': waits, '9999-after': after }).filter(
        ([name]) => name <= newest || names.includes(name),
      ),
    ),
    lastRelease: newest,
  })
  const whole = release('9998-next', '9998-waits', '9999-after')
  const finish = (database: TestDatabase) => finishSchema(database.db, whole, () => {})

  test('is done at once in a new database', async () => {
    const database = await kept(anEmptyDatabase())
    await migrateSchema(database.db, whole)
    expect(await columnsOfUsers(database)).not.toContain('nickname')
    expect(await waitingIn(database.db, whole)).toEqual([])
  })

  test('is left out by an upgrade, and what comes after it is done', async () => {
    const database = await anUpgraded()
    await migrateSchema(database.db, whole)
    expect(await columnsOfUsers(database)).toEqual(expect.arrayContaining(['nickname', 'title']))
    expect(await waitingIn(database.db, whole)).toEqual(['9998-waits'])
    await migrate(database.db)
  })

  test('is done when the upgrade is finished, and the release before is refused from then on', async () => {
    const database = await anUpgraded()
    await migrateSchema(database.db, whole)
    await finish(database)
    await finish(database)
    expect(await columnsOfUsers(database)).not.toContain('nickname')
    expect(await done(database.connection)).toEqual(Object.keys(whole.migrations).toSorted())
    await expect(migrate(database.db)).rejects.toThrow('made by a newer version')
    expect(await last(database)).toBe('9999-after')
    await migrateSchema(database.db, whole)
  })

  test('is refused to the release before after one more migration, too', async () => {
    const database = await kept(aDatabase())
    await finishSchema(database.db, release('9998-next', '9998-waits'), () => {})
    await migrateSchema(database.db, whole)
    await expect(migrate(database.db)).rejects.toThrow('made by a newer version')
  })

  test('waits no longer than for the next release', async () => {
    const database = await anUpgraded()
    await migrateSchema(database.db, whole)
    await migrateSchema(database.db, { ...whole, lastRelease: '9999-after' })
    expect(await columnsOfUsers(database)).not.toContain('nickname')
    expect(await last(database)).toBe('9999-after')
  })
})
