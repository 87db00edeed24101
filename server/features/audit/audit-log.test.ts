/** The pages of an audit log come from an index, and no workspace has lines of another. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOST_COUNTED_LINES } from '#contract/workspace/audit-log.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aWorkspace, type Workspace } from '#test-world/builders.ts'
import { auditPageQuery } from './audit-store.ts'
import { listAuditLog, purgeAuditLog } from './list-audit-log.ts'
import { recordChange, SYSTEM } from './record-change.ts'

const LINES = 5_000

let app: TestApp
let workspace: Workspace
let other: Workspace
beforeAll(async () => {
  app = await anApp()
  workspace = await aWorkspace(app)
  other = await aWorkspace(app)
  for (const { id } of [workspace, other])
    await sql`insert into audit_log (id, workspace_id, at, name, email, by_what, ip, topic, action, what, object, details, is_done)
      select gen_random_uuid(), ${id}, ${app.clock.now()}::timestamptz - n * interval '1 minute', 'P', 'p' || n % 50 || '@x.example', 'Firefox', '192.0.2.1',
        (array['members','domains','money'])[1 + n % 3], 'x', 'Change', 'box' || n || '@x.example', '{}', true
      from generate_series(1, ${LINES}::int) n`.execute(app.db)
  await sql`analyze audit_log`.execute(app.db)
})
afterAll(() => app.close())

const all = {
  ...{ email: null, byWhat: null, topic: null, pattern: null, since: null, before: null },
  direction: 'down',
} as const

test.each([
  ['all', all, 'audit_log_newest'],
  ['a topic', { ...all, topic: 'money' }, 'audit_log_topics'],
  ['a person', { ...all, email: 'p7@x.example' }, 'audit_log_people'],
] as const)('a page of %s comes from an index, without a sort', async (_, search, index) => {
  const query = auditPageQuery(
    { ...search, workspaceId: workspace.id },
    { from: null, isBackwards: false, limit: 51 },
  )
  const { rows } = await sql`explain ${query}`.execute(app.db)
  const plan = JSON.stringify(rows)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Sort')
})

test('lines of one moment stand in the order in which they happened, over pages in both directions', async () => {
  const { id: workspaceId } = await aWorkspace(app)
  const now = app.clock.now()
  const earlier = secondsAfter(now, -1)
  const objects = Array.from({ length: 60 }, (_, n) => `box${n}`)
  const change = { topic: 'mailboxes', action: 'x', what: 'Change', workspaceId } as const
  // A change that began earlier is recorded between two of now.
  for (const object of objects) {
    await recordChange(app.db, now, SYSTEM, { ...change, object })
    await recordChange(app.db, earlier, SYSTEM, { ...change, object: `before ${object}` })
  }
  const inOrder = [...objects.map((object) => `before ${object}`), ...objects]
  for (const [direction, expected] of [
    ['up', inOrder],
    ['down', inOrder.toReversed()],
  ] as const) {
    const query = { limit: 7, order: 'at', direction } as const
    const pages = [await listAuditLog(app, { workspaceId }, query)]
    for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor)
      pages.push(await listAuditLog(app, { workspaceId }, { ...query, cursor }))
    const objectsOf = ({ items }: (typeof pages)[number]) => items.map(({ object }) => object)
    expect(pages.flatMap(objectsOf)).toEqual(expected)
    const cursor = pages.at(-1)?.previousCursor ?? ''
    const back = await listAuditLog(app, { workspaceId }, { ...query, cursor })
    expect(objectsOf(back)).toEqual(objectsOf(pages.at(-2) as typeof back))
  }
})

test('exactly as many lines as are counted are no more than that', async () => {
  const { id: workspaceId } = await aWorkspace(app)
  const add = (count: number) =>
    sql`insert into audit_log (id, workspace_id, at, name, email, by_what, ip, topic, action, what, object, details, is_done)
      select gen_random_uuid(), ${workspaceId}, ${app.clock.now()}::timestamptz, '', '', '', '', 'money', 'x', '', '', '{}', true
      from generate_series(1, ${count}::int)`.execute(app.db)
  const total = async () =>
    (await listAuditLog(app, { workspaceId }, { limit: 1, order: 'at', direction: 'down' })).total
  await add(MOST_COUNTED_LINES)
  expect(await total()).toBe(MOST_COUNTED_LINES)
  await add(5)
  expect(await total()).toBe(MOST_COUNTED_LINES + 1)
})

test('searches of one workspace take turns, and keep no other one waiting', async () => {
  const [running, most] = [new Map<string, number>(), new Map<string, number>()]
  const note = (id: string, change: number) => {
    running.set(id, (running.get(id) ?? 0) + change)
    most.set(id, Math.max(most.get(id) ?? 0, running.get(id) ?? 0))
  }
  const search = (id: string) => {
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        note(id, 1)
        return node
      },
      transformResult: async ({ result }) => {
        note(id, -1)
        return result
      },
    })
    const query = { limit: 50, order: 'at', direction: 'down', q: 'zzz' } as const
    return listAuditLog({ db }, { workspaceId: id }, query)
  }
  const ids = [...Array.from({ length: 6 }, () => workspace.id), other.id]
  await Promise.all(ids.map(search))
  // A search asks for the page and the count.
  expect([most.get(workspace.id), most.get(other.id)]).toEqual([2, 2])
})

test('a page, its filters and its words are of this workspace alone; old lines go', async () => {
  const query = { limit: 50, order: 'at', direction: 'down' } as const
  const { items, total } = await listAuditLog(
    app,
    { workspaceId: workspace.id },
    { ...query, q: 'box4999@' },
  )
  expect([items.length, total]).toEqual([1, 1])
  const before = await listAuditLog(app, { workspaceId: other.id }, query)
  expect(before.total).toBe(Math.min(LINES, 10_000))
  app.clock.advance({ days: 364 })
  await purgeAuditLog(app)
  const after = await listAuditLog(app, { workspaceId: other.id }, query)
  expect([after.total > 0, after.total < LINES]).toEqual([true, true])
})
