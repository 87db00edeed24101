/** No migration takes from programs of the release before what they use (decision 134). `RELEASED=0.2.0` records a release. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratorFor, type OwnMigration } from '#server/storage/migrate.ts'
import { schema } from '#server/storage/open-storage.ts'
import { anEmptyDatabase, type TestDatabase } from '#test-world/database.ts'
import { ourFiles } from '../../checks/our-files.ts'
import { readCatalog } from './catalog.ts'
import { findFaults, type Uses } from './find-faults.ts'
import { usedColumns } from './used-columns.ts'

const RECORD = 'scripts/architecture/migrations/last-release.json'

type Release = { release: string; lastMigration: string; uses: Uses }
const last: Release = JSON.parse(readFileSync(RECORD, 'utf8'))
const names = Object.keys(schema.migrations)

let database: TestDatabase
beforeAll(async () => {
  database = await anEmptyDatabase()
  const { error } = await migratorFor(database.db, schema).migrateTo(last.lastMigration)
  if (error !== undefined) throw error
})
afterAll(() => database.drop())

type Given = { prepare?: string; narrows?: OwnMigration['narrows']; uses?: Uses }

/** Of a migration that is taken back. */
const faultsOf = async (statement: string, given: Given = {}): Promise<string[]> => {
  const tx = await database.db.startTransaction().execute()
  try {
    if (given.prepare !== undefined) await sql.raw(given.prepare).execute(tx)
    const before = await readCatalog(tx)
    await sql.raw(statement).execute(tx)
    const after = await readCatalog(tx)
    return findFaults('9999', { before, after }, given.narrows ?? {}, given.uses ?? last.uses)
  } finally {
    await tx.rollback().execute()
  }
}

it('the recorded release is the one that the program names, and its columns were read', async () => {
  expect(last.lastMigration).toBe(schema.lastRelease)
  const used = Object.entries(last.uses).flatMap(([table, columns]) =>
    columns.split(' ').map((column) => `${table}.${column}`),
  )
  expect(used.length).toBeGreaterThan(850)
  const there = [...(await readCatalog(database.db))].flatMap(([table, { columns }]) =>
    [...columns.keys()].map((column) => `${table}.${column}`),
  )
  expect(used.filter((column) => !there.includes(column))).toEqual([])
})

describe('a planted migration', () => {
  const brand = 'card_customers.card_brand'
  it.each([
    ['drops a table', 'drop table greylist', 'greylist is gone'],
    ['drops a column', 'alter table card_customers drop card_brand', `${brand} is gone`],
    [
      'renames a column',
      'alter table card_customers rename card_brand to brand',
      `${brand} is gone`,
    ],
    [
      'changes a type',
      'alter table invoices alter amount_cents type bigint',
      'invoices.amount_cents was integer and is bigint',
    ],
    [
      'demands a new column',
      'alter table users add nickname text not null',
      'users.nickname is new and required',
    ],
    [
      'demands a value',
      'alter table invoices alter paid_at set not null',
      'invoices.paid_at is required',
    ],
    [
      'takes a default',
      'alter table card_customers alter card_brand drop default',
      `${brand} has no default`,
    ],
  ])('%s that the last release uses: no reason helps', async (_what, statement, fault) => {
    const narrows = { [fault]: 'Nobody needs it, says whoever wrote this.' }
    const faults = await faultsOf(statement, { narrows })
    expect(faults[0]).toContain(`9999: ${fault}, and the last release uses `)
  })

  const prepare = `create table kinds (id integer primary key, kind text constraint known check (kind in ('a', 'b')))`
  it.each([
    [
      'tightens a check',
      "alter table kinds drop constraint known, add constraint known check (kind in ('a'))",
      'the check known of kinds is another',
    ],
    [
      'refuses doubles',
      'create unique index once on kinds (kind)',
      'the unique once of kinds is new',
    ],
    [
      'takes the key of `on conflict`',
      'alter table kinds drop constraint kinds_pkey',
      'the unique kinds_pkey of kinds is gone',
    ],
    [
      'holds rows',
      'create table notes (id integer references kinds)',
      'rows of kinds are held by notes_id_fkey of notes',
    ],
    [
      'adds a trigger',
      'create trigger stop before update on kinds for each row execute function suppress_redundant_updates_trigger()',
      'the trigger stop of kinds is new',
    ],
    ['builds an index', 'create index sorted on kinds (kind)', 'the index sorted of kinds is new'],
    [
      'writes a table anew',
      'alter table kinds add made timestamptz default clock_timestamp()',
      'kinds is written anew',
    ],
    [
      'drops what the last release does not use',
      'alter table kinds drop kind',
      'kinds.kind is gone',
    ],
  ])('%s, and is asked for a reason', async (_what, statement, fault) => {
    const given = { prepare, uses: { kinds: 'id' } }
    expect(await faultsOf(statement, given)).toEqual([expect.stringContaining(`9999: ${fault}; `)])
    const short = { [fault]: 'Nobody' }
    expect(await faultsOf(statement, { ...given, narrows: short })).toHaveLength(1)
    const narrows = { [fault]: 'Programs of the last release do not write it.' }
    expect(await faultsOf(statement, { ...given, narrows })).toEqual([])
  })

  it.each([
    `alter table users add nickname text, add level text not null default 'a' check (level in ('a'))`,
    `create table pets (id uuid primary key, user_id uuid not null references users on delete cascade);
      create index pets_user on pets (user_id)`,
    `alter table card_payments drop constraint card_payments_kind_check,
      add constraint card_payments_kind_check check (kind in ('checkout', 'saved card', 'bank'))`,
  ])('widens, which is no fault: %s', async (statement) => {
    expect(await faultsOf(statement)).toEqual([])
  })

  it('gives a reason for nothing', async () => {
    const narrows = { 'users is gone': 'Programs of the last release do not use it.' }
    expect(await faultsOf('alter table users add nickname text', { narrows })).toEqual([
      '9999: it gives a reason for what it does not do: users is gone',
    ])
  })
})

const isAnotherKey = (fault: string) => / the unique \w+ of \w+ is another; /.test(fault)

// It changes the database, and the test after it needs that.
it('no migration since the last release breaks its programs', async () => {
  const faults: string[] = []
  for (const name of names.filter((each) => each > last.lastMigration)) {
    const {
      up,
      waits,
      narrows = {},
    }: OwnMigration = schema.migrations[name] ?? { up: async () => {} }
    const before = await readCatalog(database.db)
    await database.db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>))
    const after = await readCatalog(database.db)
    // It may take keys, since no program of the last release comes after it, and those of this one run meanwhile.
    const isAllowed = (fault: string) => waits === true && isAnotherKey(fault)
    const found = findFaults(name, { before, after }, narrows, last.uses)
    faults.push(...found.filter((fault) => !isAllowed(fault)))
  }
  expect(faults).toEqual([])
})

it('the columns of this version can be recorded on the day of its release', async () => {
  const uses = usedColumns(ourFiles())
  const tables = [...(await readCatalog(database.db)).keys()]
  expect(Object.keys(uses).toSorted()).toEqual(tables.toSorted())
  const { RELEASED } = process.env
  if (RELEASED === undefined) return
  const record: Release = { release: RELEASED, lastMigration: names.at(-1) ?? '', uses }
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)
})
