/** The list of all workspaces of a user: figures by their role in each, and of no other workspace. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figuresQuery } from '#server/features/stats/workspace-figures-store.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, anInvoice, aUser, aWorkspace, type User } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let ada: User
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  ada = await aUser(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const clientOf = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)
const figuresOf = async (user: User) =>
  (await (await clientOf(user)).call('GET', '/workspaces/figures')).body

/** Two domains, one of them failing; three mailboxes of every state; a paid and a due invoice. */
const aBusyWorkspace = async (name: string, members: { user: User; role: 'Admin' | 'User' }[]) => {
  app.clock.advance({ seconds: 1 })
  const workspace = await aWorkspace(app, { name, members })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const failing = await aDomain(app, { workspaceId: workspace.id })
  for (const purpose of ['spf', 'dmarc'] as const)
    await app.db
      .insertInto('domainRecords')
      .values({
        ...{ domainId: failing.id, workspaceId: workspace.id, purpose, position: 0, type: 'TXT' },
        ...{ name: failing.name, value: '', ttl: 60, priority: null, isRequired: true },
        ...{ state: 'different', found: '[]', checkedAt: null, nextCheckAt: null },
        ...{ changedAt: null, verifiedAt: null, unansweredSince: null, failedAt: null },
        alertedAt: null,
      })
      .execute()
  for (const status of ['active', 'suspended', 'inactive'] as const)
    await aMailbox(app, { domain, status, usedBytes: 1000 })
  const now = app.clock.now()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
  for (const [number, periodStart, status] of [
    [1, before, 'Due'],
    [2, month, 'Paid'],
    [3, month, 'Due'],
  ] as const)
    await anInvoice(app, {
      ...{ workspaceId: workspace.id, number, status, amountCents: 200 * number, periodStart },
    })
  return workspace
}

test('each workspace has its own figures, with bills and members where the role shows them', async () => {
  const other = await aUser(app)
  const first = await aBusyWorkspace('First', [{ user: ada, role: 'Admin' }])
  const second = await aBusyWorkspace('Second', [
    { user: other, role: 'Admin' },
    { user: ada, role: 'User' },
  ])
  await aBusyWorkspace('Foreign', [{ user: other, role: 'Admin' }])
  const counts = {
    domains: { total: 2, active: 1, needWork: 2 },
    mailboxes: { total: 3, active: 1, suspended: 1, inactive: 1 },
    storage: { usedBytes: 3000, quotaBytes: 75_000_000_000 },
  }
  expect(await figuresOf(ada)).toEqual([
    {
      ...{ _id: first.id, name: 'First', role: 'Admin', isCurrent: true, ...counts, members: 1 },
      bill: { monthCents: 1000, dueCents: 800, dueInvoices: 2, currency: 'usd' },
    },
    {
      ...{ _id: second.id, name: 'Second', role: 'User', isCurrent: false, ...counts },
      ...{ members: null, bill: null },
    },
  ])
  const theirs = await figuresOf(other)
  expect(theirs.map(({ name }: { name: string }) => name)).toEqual(['Second', 'Foreign'])
  expect(theirs[0].members).toBe(2)
})

test('a stranger, a holder and a visitor learn nothing', async () => {
  expect(await figuresOf(await aUser(app))).toEqual([])
  expect((await anApiClient(server).call('GET', '/workspaces/figures')).status).toBe(401)
})

test('no part of it reads all rows of a table', async () => {
  const plan = await app.db.transaction().execute(async (tx) => {
    // The tables of a test are so small that the planner would read them whole.
    await sql`set local enable_seqscan = off`.execute(tx)
    return sql`explain (format json) ${figuresQuery(tx, ada.id, app.clock.now())}`.execute(tx)
  })
  expect(JSON.stringify(plan.rows)).toContain('members_user')
  expect(JSON.stringify(plan.rows)).not.toContain('Seq Scan')
})
