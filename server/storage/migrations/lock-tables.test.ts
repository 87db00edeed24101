import type { Kysely } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase } from '#test-world/database.ts'
import { ask } from '#test-world/postgres/postgres-owner.ts'
import { migrateSchema, type Schema } from '../migrate.ts'
import { schema } from '../open-storage.ts'
import { lockTables } from './lock-tables.ts'

const TABLES = ['message_texts', 'messages']
/** A program of the next release, which changes two tables. */
const next: Schema = {
  ...schema,
  migrations: {
    ...schema.migrations,
    '9998-two-tables': { up: (db) => lockTables(db, TABLES) },
  },
}

test('a migration that has a table waits for no other, and comes when all are free', async () => {
  const { db, connection, drop } = await aDatabase()
  const mail = new pg.Client(connection)
  await mail.connect()
  try {
    await mail.query('begin')
    await mail.query('lock table message_texts in row exclusive mode')
    const locked = db
      .transaction()
      .execute((tx) => lockTables(tx as unknown as Kysely<unknown>, TABLES))
    await expect(locked).rejects.toMatchObject({ code: '55P03' })
    const migrated = migrateSchema(db, next)
    await mail.query('lock table messages in row exclusive mode')
    await mail.query('commit')
    await migrated
    const done = await ask(connection, "select from kysely_migration where name like '9998%'")
    expect(done).toHaveLength(1)
  } finally {
    await mail.end()
    await drop()
  }
})
