/** What a broken restore leaves behind goes with the next one, and what one at work uses stays. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schedule } from '#server/jobs/runner.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { dropLeftovers, withOlderDatabase, withScratchTables } from './scratch-tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

/** Of all restores in this database. */
const breakConnections = () =>
  sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name = 'mailstead restore'`.execute(app.db)
const leftovers = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select nspname::text as name from pg_namespace where nspname like 'restoring%'
    union all select datname from pg_database where datname like 'restoring%'
      and split_part(datname, '_', 2) = (select oid::text from pg_database where datname = current_database())`.execute(
    app.db,
  )
  return rows.map(({ name }) => name)
}
const breaks = async (): Promise<never> => {
  await breakConnections()
  throw new Error('what went wrong first')
}

it('tells the first error when the connection broke, and the next restore drops what is left', async () => {
  await expect(withScratchTables(app.connection, breaks)).rejects.toThrow('what went wrong first')
  await expect(withOlderDatabase(app.connection, '0070-alerts', breaks)).rejects.toThrow(
    'what went wrong first',
  )
  // The second began with the schema of the first.
  expect(await leftovers()).toHaveLength(1)
  await withScratchTables(app.connection, async ({ schema }) => {
    expect(await leftovers()).toEqual([schema])
  })
  expect(await leftovers()).toEqual([])
})

it('leaves nothing of a broken restore for long', async () => {
  await expect(withScratchTables(app.connection, breaks)).rejects.toThrow('what went wrong first')
  await expect(withOlderDatabase(app.connection, '0070-alerts', breaks)).rejects.toThrow(
    'what went wrong first',
  )
  expect(await leftovers()).toHaveLength(1)
  await schedule.find(({ name }) => name === 'purge-restores')?.run(app)
  expect(await leftovers()).toEqual([])
})

it('leaves what another restore uses', async () => {
  await withScratchTables(app.connection, async ({ schema }) => {
    await dropLeftovers(app.connection)
    await withScratchTables(app.connection, async (second) => {
      expect((await leftovers()).toSorted()).toEqual([schema, second.schema].toSorted())
    })
    expect(await leftovers()).toEqual([schema])
  })
})
