/** What the holder of a mailbox reaches: that mailbox, and nothing else that the contract declares. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import { newId } from '#server/lib/ids.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

/** Open to a holder without naming a mailbox: what each shows them is tried below. */
const ofNoMailbox = [
  'GET /auth/verify-access',
  'GET /events',
  'GET /mailboxes',
  'GET /announcements',
  'GET /mailboxes/count',
  'GET /api-keys',
  'POST /api-keys',
  'GET /key',
  'GET /preferences',
  'GET /sessions',
  'GET /sessions/programs',
  'POST /sessions/end-others',
  'POST /account/export',
  'GET /second-factor',
  'POST /second-factor/totp/begin',
  'POST /second-factor/totp',
  'DELETE /second-factor/totp',
  'POST /second-factor/recovery-codes',
  'DELETE /second-factor/trusted-browsers/{id}',
  'POST /passkeys/begin',
  'POST /passkeys',
  'PATCH /passkeys/{id}',
  'DELETE /passkeys/{id}',
  'POST /auth/step-up/begin',
  'POST /auth/step-up',
  'POST /profile/password',
  'PUT /preferences',
  'PUT /preferences/writing',
]

const routes = (await declaredRoutes()).filter(
  ({ access, path }) => access !== 'anyone' && !path.startsWith('/sandbox-dns'),
)

let app: TestApp
let server: FastifyInstance
let address: string
let own: Mailbox
let neighbour: Mailbox
let foreign: Mailbox
let holder: ApiClient
let headers: Record<string, string>
let domainId: string
let adminId: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  await server.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v1`
  const admin = await aUser(app)
  adminId = admin.id
  const workspace = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  domainId = domain.id
  own = await aMailbox(app, { domain })
  neighbour = await aMailbox(app, { domain })
  foreign = await aMailbox(app)
  await letRead(app, neighbour, admin.id)
  const user = await aHolder(app, own)
  headers = (await aSession(app, user)).headers
  holder = anApiClient(server, headers)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const call = ({ method, path }: Route, id: string, otherId: string) =>
  holder.call(
    method,
    path.replace('{id}', id).replace(/\{\w+\}/g, otherId),
    goodBodies[`${method} ${path}`],
  )

const ofMailboxes = routes.filter((route) => !ofNoMailbox.includes(nameOf(route)))
/** As the last route left it. */
let state: string | undefined
describe.each(ofMailboxes.map((route) => [nameOf(route), route] as const))('%s', (_name, route) => {
  test('opens nothing to a holder but their own mailbox', async () => {
    const before = state ?? (await stateOf(app.db))
    const others = [neighbour.id, foreign.id, domainId, adminId, newId()]
    const ids = route.access === 'open-mailboxes' ? others : [...others, own.id]
    for (const id of ids) {
      const answer = await call(route, id, neighbour.id)
      expect([403, 404], `${id} ${JSON.stringify(answer.body)}`).toContain(answer.status)
      expect(['FORBIDDEN', 'NOT_EXISTS']).toContain(answer.body.type)
      if (!route.path.includes('{')) expect(answer.status).toBe(403)
    }
    state = await stateOf(app.db)
    expect(state).toBe(before)
  })
})

test('the list of mailboxes shows a holder their own, however it is asked', async () => {
  for (const query of ['', '?readable=true', '?readable=false', '?q=a', '?limit=200'])
    for (const item of (await holder.call('GET', `/mailboxes${query}`)).body.items)
      expect(item._id).toBe(own.id)
  expect((await holder.call('GET', '/mailboxes')).body.items).toHaveLength(1)
  expect((await holder.call('GET', '/mailboxes/count')).body).toEqual({ count: 1 })
  expect((await holder.call('GET', `/mailboxes/${own.id}/folders`)).body).toHaveLength(6)
})

test('a holder is who they say, bound to their mailbox, and in no other workspace', async () => {
  const me = await holder.call('GET', '/auth/verify-access')
  expect(me.body).toMatchObject({ email: own.email, mailboxId: own.id })
  const ours = { 'x-workspace-id': own.workspaceId }
  expect((await holder.call('GET', '/mailboxes', undefined, ours)).status).toBe(200)
  const theirs = { 'x-workspace-id': foreign.workspaceId }
  expect((await holder.call('GET', '/mailboxes', undefined, theirs)).status).toBe(404)
})

test('a holder has dates written as they choose, for themselves alone', async () => {
  const chosen = { timeZone: 'Asia/Tokyo', timeFormat: '24h', dateFormat: 'year-first' }
  const saved = await holder.call('PUT', '/preferences', { ...chosen, wantsDnsMails: true })
  expect(saved).toMatchObject({ status: 200, body: chosen })
  expect((await holder.call('GET', '/preferences')).body).toEqual(saved.body)
  const rows = await app.db.selectFrom('preferences').select('timeZone').execute()
  expect(rows).toEqual([{ timeZone: 'Asia/Tokyo' }])
})

test('a membership that should never be gives a holder nothing', async () => {
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('mailboxId', '=', own.id)
    .executeTakeFirstOrThrow()
  const { workspaceId } = foreign
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role: 'Admin', createdAt: app.clock.now() })
    .execute()
  const theirs = { 'x-workspace-id': workspaceId }
  expect((await holder.call('GET', '/members', undefined, theirs)).status).toBe(404)
  expect((await holder.call('GET', '/members')).status).toBe(403)
  await app.db.deleteFrom('members').where('userId', '=', user.id).execute()
})

test('of all that happens in the workspace a holder hears of their own mail alone', async () => {
  const answer = await fetch(`${address}/events`, { headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  const { workspaceId } = own
  for (const topic of ['domains', 'mailboxes', 'invoices', 'workspaces', 'messages'] as const)
    await announceChange(app.db, { topic, workspaceId })
  await announceChange(app.db, { topic: 'messages', workspaceId, mailboxId: neighbour.id })
  await announceChange(app.db, { topic: 'messages', workspaceId, mailboxId: own.id })
  while (!seen.includes('data: ')) {
    const piece = await reader?.read()
    if (!piece || piece.done) throw new Error('the stream ended')
    seen += piece.value
  }
  await reader?.cancel()
  const told = [...seen.matchAll(/data: (.*)/g)].map(([, data = '']) => JSON.parse(data))
  const modseq = expect.any(Number)
  expect(told).toEqual([{ topic: 'messages', workspaceId, mailboxId: own.id, modseq }])
})
