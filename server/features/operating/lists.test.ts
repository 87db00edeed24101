/** The lists of operators in a large installation: pages come from an index, wherever they are. */
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Range } from '#server/lib/list-pages.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { listAccounts } from './accounts.ts'
import { accountPageQuery } from './accounts-store.ts'
import { invoicePageQuery } from './invoices-store.ts'
import { mailboxPageQuery } from './mailboxes-store.ts'
import { listWorkspaces } from './workspaces.ts'
import { workspacePageQuery } from './workspaces-store.ts'

const [WORKSPACES, PEOPLE] = [2_000, 20_000]

let app: TestApp
beforeAll(async () => {
  app = await anApp()
  await sql`insert into workspaces (id, name, storage_quota_bytes, created_at)
    select gen_random_uuid(), 'Customer ' || n, 1000000, timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, ${WORKSPACES}::int) n`.execute(app.db)
  await sql`insert into users (id, email, first_name, last_name, created_at, last_login_at)
    select gen_random_uuid(), 'person' || n || '@customers.example', 'Person', 'Number ' || n,
      timestamptz '2026-01-01' + n * interval '1 second',
      case when n % 3 = 0 then null else timestamptz '2026-02-01' + n * interval '1 second' end
    from generate_series(1, ${PEOPLE}::int) n`.execute(app.db)
  await sql`analyze workspaces, users`.execute(app.db)
})
afterAll(() => app.close())

const ID = '0190d5a0-0000-7000-8000-000000000000'
const text = { from: { value: 'customer 1500', id: ID }, isBackwards: false, limit: 51 }
const time: Range = { ...text, from: { value: String(1_768_000_000_000_000), id: ID } }

type Plan = { 'Node Type': string; 'Index Name'?: string; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** `hasFew`: the tables are so small that every other plan is turned off. */
const explained = (query: RawBuilder<unknown>, hasFew = false): Promise<Plan[]> =>
  app.db.transaction().execute(async (tx) => {
    if (hasFew)
      for (const way of ['seqscan', 'sort', 'bitmapscan'])
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx)
    const { rows } = await sql<{
      'QUERY PLAN': [{ Plan: Plan }]
    }>`explain (format json) ${query}`.execute(tx)
    return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
  })

const since = new Date('2026-01-01')
const all = { pattern: null, only: null, since }

test.each([
  ['name', text, 'workspaces_named'],
  ['created', time, 'workspaces_created'],
] as const)('workspaces by %s come from an index, both ways', async (order, range, index) => {
  for (const direction of ['up', 'down'] as const)
    for (const isBackwards of [false, true]) {
      const query = workspacePageQuery(
        app.db,
        { ...all, order, direction },
        { ...range, isBackwards },
      )
      const nodes = await explained(query)
      expect(nodes.map((node) => node['Index Name'])).toContain(index)
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
    }
})

test.each([
  ['created', time, 'users_created'],
  ['person', text, 'users_named'],
  ['seen', time, 'users_seen'],
] as const)('people by %s come from an index', async (order, range, index) => {
  for (const direction of ['up', 'down'] as const) {
    const nodes = await explained(
      accountPageQuery(app.db, { pattern: null, order, direction }, range),
    )
    expect(nodes.map((node) => node['Index Name'])).toContain(index)
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
  }
})

test('mailboxes and invoices come from an index, too', async () => {
  const sought = { pattern: null, order: 'created', direction: 'down' } as const
  const mailboxes = await explained(mailboxPageQuery(app.db, sought, time), true)
  expect(mailboxes.map((node) => node['Index Name'])).toContain('mailboxes_created')
  for (const [only, index] of [
    [null, 'invoices_created'],
    ['Due', 'invoices_by_status'],
  ] as const) {
    const nodes = await explained(invoicePageQuery(app.db, { ...sought, only }, time), true)
    expect(nodes.map((node) => node['Index Name'])).toContain(index)
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
  }
})

test('all pages together are all rows, each once', async () => {
  const seen = new Set<string>()
  let cursor: string | undefined
  let pages = 0
  do {
    const listing = { order: 'person', direction: 'up', limit: 200, cursor } as const
    const { items, nextCursor, total } = await listAccounts(app, listing)
    expect(total).toBe(PEOPLE)
    for (const { _id } of items) seen.add(_id)
    cursor = nextCursor ?? undefined
    pages += 1
  } while (cursor !== undefined)
  expect([seen.size, pages]).toEqual([PEOPLE, PEOPLE / 200])
})

test('a search finds a part of a name among all, and counts what it finds', async () => {
  const listing = { q: 'customer 19', order: 'name', direction: 'up', limit: 50 } as const
  const { items, total } = await listWorkspaces(app, listing)
  expect(total).toBe(111)
  expect(items.map(({ name }) => name).slice(0, 2)).toEqual(['Customer 19', 'Customer 190'])
})
