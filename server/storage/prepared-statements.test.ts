import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'

let world: TestDatabase
beforeAll(async () => {
  world = await aDatabase()
})
afterAll(() => world.drop())

it('lets PostgreSQL keep the plan of what is asked again and again, and lives through a changed table', async () => {
  const { db } = world
  await sql`create table colours (name text)`.execute(db)
  await sql`insert into colours values ('red')`.execute(db)
  // One connection, so that all statements use the same plans.
  await db.connection().execute(async (one) => {
    const again = () => sql`select * from colours where name = ${'red'}`.execute(one)
    for (let i = 0; i < 40; i++) await again()
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like 'select * from colours%'`.execute(
      one,
    )
    expect(rows).toHaveLength(1)

    await sql`alter table colours add column shade text`.execute(one)
    expect((await again()).rows).toEqual([{ name: 'red', shade: null }])
  })
})

it.each([
  ['select', sql`select * from shapes where name = ${'round'}`],
  [
    'select of one of several',
    sql`select shapes.* from shapes, users where shapes.name = ${'round'}`,
  ],
  ['change', sql`update shapes set name = ${'round'} returning *`],
])(
  'a table that gets a column in the middle of work breaks no transaction: %s',
  async (_what, asked) => {
    const { db } = world
    await sql`drop table if exists shapes`.execute(db)
    await sql`create table shapes (name text)`.execute(db)
    await sql`insert into shapes values ('round')`.execute(db)
    await db.connection().execute(async (one) => {
      const again = () => one.transaction().execute((tx) => asked.execute(tx))
      for (let i = 0; i < 40; i++) await again()
      await sql`alter table shapes add column edges int`.execute(one)
      expect((await again()).rows.length).toBeLessThan(2)
    })
  },
)
