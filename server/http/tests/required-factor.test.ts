/** A second factor is required: who is told, what is reached in the days of grace, and what after them (decision 126). */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import { mailRequiredFactors } from '#server/features/members/mail-required-factor.ts'
import { requireFactorOfAll } from '#server/features/operating/require-factor.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { signInToMailbox } from '#server/features/programs/sign-in-to-mailbox.ts'
import { stillSignedIn } from '#server/features/programs/watch-sign-ins.ts'
import { newId } from '#server/lib/ids.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { type ApiClient, anApiClient, mailsTo } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { setUpTotp } from '#test-world/people/factors.ts'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { quickHash } from '#test-world/people/quick-hash.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

const RULE = '/workspace-settings/second-factor'
const REQUIRED = { status: 403, body: { type: 'FACTOR_SET_UP_REQUIRED' } }

let app: TestApp
let server: FastifyInstance
let workspaceId: string
let admin: { user: User; client: ApiClient }
let member: { user: User; client: ApiClient }
let mailbox: Mailbox
let holder: User
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  await requireFactorOfAll(app, TERMINAL, null, null)
  app.clock.advance({ days: 1 })
  const people = [await aPerson(), await aPerson()] as const
  const workspace = await aWorkspace(app, {
    members: [
      { user: people[0], role: 'Admin' },
      { user: people[1], role: 'Editor' },
    ],
  })
  workspaceId = workspace.id
  const domain = await aDomain(app, { workspaceId, active: true })
  mailbox = await aMailbox(app, { domain })
  holder = await aHolder(app, mailbox)
  app.clock.advance({ hours: 1 })
  admin = { user: people[0], client: await clientOf(people[0]) }
  member = { user: people[1], client: await clientOf(people[1]) }
})

const aPerson = () => aUser(app, { passwordHash: quickHash(HOLDERS_PASSWORD) })
const clientOf = async (user: Pick<User, 'id'>) =>
  anApiClient(server, (await aSession(app, user)).headers)
const logIn = ({ email }: User, client = anApiClient(server)) =>
  client.call('POST', '/auth/login', { email, password: HOLDERS_PASSWORD })

const requireIt = async (graceDays: number | null) => {
  await setUpTotp(app, admin.client, {})
  const answer = await admin.client.call('PUT', RULE, { graceDays })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const workspaceOf = async ({ client }: { client: ApiClient }) =>
  (await client.call('GET', '/workspaces')).body[0]

test('an Admin requires it once they have one themselves, and nobody else does', async () => {
  const ask = (client: ApiClient) => client.call('PUT', RULE, { graceDays: 7 })
  expect((await ask(member.client)).body.type).toBe('FORBIDDEN')
  expect(await ask(admin.client)).toMatchObject({
    ...{ status: 409, body: { type: 'OWN_FACTOR_FIRST' } },
  })
  const later = await clientOf(admin.user)
  const sessions = app.db.updateTable('sessions').where('userId', '=', admin.user.id)
  await sessions.set({ confirmedAt: null }).execute()
  expect((await ask(later)).body.type).toBe('STEP_UP_REQUIRED')
  admin.client = await clientOf(admin.user)
  expect((await admin.client.call('GET', RULE)).body).toEqual({
    ...{ graceDays: null, requiredAt: null, peopleWithout: 3 },
  })
  const requiredAt = app.clock.now().toISOString()
  expect(await requireIt(7)).toEqual({ graceDays: 7, requiredAt, peopleWithout: 2 })
  for (const graceDays of [-1, 31, 1.5, '7'])
    expect((await admin.client.call('PUT', RULE, { graceDays })).status).toBe(422)
  const { body: log } = await admin.client.call('GET', '/audit-log?topic=settings')
  expect(log.items[0]).toMatchObject({ action: 'saveFactorRule', details: { graceDays: '7' } })
})

test('who has none is listed with their days, page by page, and leaves the list with a factor', async () => {
  await requireIt(7)
  const dueAt = inDays(7)
  const path = `${RULE}/people`
  const { body } = await admin.client.call('GET', path)
  const listed = [
    { _id: member.user.id, email: member.user.email, isHolder: false, dueAt },
    { _id: holder.id, email: holder.email, isHolder: true, dueAt },
  ].toSorted((a, b) => (a.email < b.email ? -1 : 1))
  expect(body).toMatchObject({ items: listed, nextCursor: null })
  const first = (await admin.client.call('GET', `${path}?limit=1`)).body
  expect(first).toMatchObject({ items: [listed[0]], nextCursor: listed[0]?.email })
  const second = await admin.client.call('GET', `${path}?limit=1&cursor=${first.nextCursor}`)
  expect(second.body).toMatchObject({ items: [listed[1]], nextCursor: null })
  await setUpTotp(app, member.client, {})
  expect((await admin.client.call('GET', path)).body.items).toMatchObject([{ _id: holder.id }])
  expect((await member.client.call('GET', path)).body.type).toBe('FORBIDDEN')
})

const inDays = (days: number) =>
  new Date(app.clock.now().getTime() + days * 86_400_000).toISOString()

test('in the days of grace everything works, and it is told until when', async () => {
  expect(await workspaceOf(member)).toMatchObject({ factorDueAt: null })
  expect((await logIn(holder)).body.user).not.toHaveProperty('factorDueAt')
  await requireIt(7)
  const factorDueAt = inDays(7)
  expect(await workspaceOf(member)).toMatchObject({ factorDueAt })
  expect(await workspaceOf(admin)).toMatchObject({ factorDueAt: null })
  expect((await logIn(holder)).body.user).toMatchObject({ factorDueAt })
  app.clock.advance({ days: 6, hours: 23 })
  expect((await logIn(member.user)).status).toBe(200)
  expect((await (await clientOf(member.user)).call('GET', '/domains')).status).toBe(200)
  app.clock.advance({ hours: 1 })
  expect(await (await clientOf(member.user)).call('GET', '/domains')).toMatchObject(REQUIRED)
})

test('who comes later has the same days, and a new workspace is no way around the operator', async () => {
  await requireIt(3)
  app.clock.advance({ days: 30 })
  const late = await aPerson()
  const membership = { workspaceId, userId: late.id, role: 'User', createdAt: app.clock.now() }
  await app.db
    .insertInto('members')
    .values({ ...membership, role: 'User' })
    .execute()
  const client = await clientOf(late)
  expect(await workspaceOf({ client })).toMatchObject({ factorDueAt: inDays(3) })
  await requireFactorOfAll(app, TERMINAL, null, 0)
  expect(await client.call('GET', '/domains')).toMatchObject(REQUIRED)
  expect(await client.call('POST', '/workspaces', { name: 'New' })).toMatchObject(REQUIRED)
})

test('after them a person signs in, sets one up, and is in again', async () => {
  await requireIt(0)
  for (const user of [member.user, holder]) {
    const client = anApiClient(server)
    const { body } = await logIn(user, client)
    const headers = { authorization: `Bearer ${body.token}` }
    const read = () => client.call('GET', '/preferences', undefined, headers)
    expect(await read()).toMatchObject(REQUIRED)
    await setUpTotp(app, client, headers)
    expect((await read()).status).toBe(200)
    expect((await client.call('POST', '/auth/logout')).status).toBe(200)
  }
})

test('who removes the last factor, or loses it by a reset, sets one up anew', async () => {
  await requireIt(0)
  await setUpTotp(app, member.client, {})
  expect((await member.client.call('GET', '/domains')).status).toBe(200)
  expect((await member.client.call('DELETE', '/second-factor/totp')).status).toBe(200)
  expect(await member.client.call('GET', '/domains')).toMatchObject(REQUIRED)
  await setUpTotp(app, member.client, {})
  const path = `/members/${member.user.id}/second-factor`
  expect((await admin.client.call('DELETE', path)).status).toBe(200)
  const client = await clientOf(member.user)
  expect(await client.call('GET', '/domains')).toMatchObject(REQUIRED)
})

test('another workspace, which does not require it, stays open', async () => {
  await aWorkspace(app, { members: [{ user: member.user, role: 'Admin' }] })
  await requireIt(0)
  const { body } = await member.client.call('GET', '/workspaces')
  const [here, there] = body
  expect([here.factorDueAt, there.factorDueAt]).toEqual([expect.any(String), null])
  const at = (id: string) => ({ 'x-workspace-id': id })
  expect(await member.client.call('GET', '/domains', undefined, at(here._id))).toMatchObject(
    REQUIRED,
  )
  const elsewhere = await member.client.call('GET', '/domains', undefined, at(there._id))
  expect(elsewhere.status).toBe(200)
  expect((await member.client.call('POST', `/workspaces/${there._id}/switch`)).status).toBe(200)
  expect((await member.client.call('GET', '/domains')).status).toBe(200)
})

describe('every route', async () => {
  const routes = (await declaredRoutes()).filter(
    ({ access, path }) => access !== 'anyone' && !path.startsWith('/sandbox-dns'),
  )
  const open = [
    ...['GET /auth/verify-access', 'GET /second-factor', 'POST /second-factor/totp/begin'],
    ...['POST /second-factor/totp', 'POST /passkeys/begin', 'POST /passkeys'],
    ...['POST /second-factor/recovery-codes', 'POST /auth/step-up/begin', 'POST /auth/step-up'],
    ...['GET /workspaces', 'POST /workspaces/{id}/switch', 'POST /workspaces/{id}/leave'],
    ...['GET /account/leaving', 'POST /account/leaving', 'DELETE /account/leaving'],
  ]
  test.each(routes.map((route) => [nameOf(route), route] as const))('%s', async (name, route) => {
    await requireFactorOfAll(app, TERMINAL, null, 0)
    const path = route.path.replace(/\{\w+\}/g, () => newId())
    const ask = ({ call }: ApiClient, of: Route) => call(of.method, path, goodBodies[nameOf(of)])
    for (const who of [member.user, holder]) {
      const { body } = await ask(await clientOf(who), route)
      if (open.includes(name)) expect(body?.type).not.toBe('FACTOR_SET_UP_REQUIRED')
      else expect(body).toMatchObject(REQUIRED.body)
    }
  })
  test('was asked', () => {
    const names = routes.map(nameOf)
    expect(names.length).toBeGreaterThan(150)
    expect(names).toEqual(expect.arrayContaining(open))
  })
})

test('an API key acts for its maker no more, whatever it asks for', async () => {
  const form = { kind: 'person', name: 'Onboarding', scopes: ['domains:read'] }
  const { body } = await member.client.call('POST', '/api-keys', form)
  const key = anApiClient(server, { authorization: `Bearer ${body.key}` })
  expect((await key.call('GET', '/domains')).status).toBe(200)
  await requireIt(0)
  for (const path of ['/domains', '/key', '/events'])
    expect(await key.call('GET', path)).toMatchObject(REQUIRED)
  await setUpTotp(app, member.client, {})
  expect((await key.call('GET', '/domains')).status).toBe(200)
})

test('streams of events that are open end, of a session and of a key', async () => {
  const form = { kind: 'person', name: 'Events', scopes: ['domains:read'] }
  const { body } = await member.client.call('POST', '/api-keys', form)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v1/events`
  const session = (await aSession(app, member.user)).headers
  const streams = await Promise.all(
    [session, { authorization: `Bearer ${body.key}` }].map((headers) => fetch(url, { headers })),
  )
  expect(streams.map(({ status }) => status)).toEqual([200, 200])
  await requireIt(1)
  app.clock.advance({ days: 1 })
  // As the check does that comes every 25 seconds.
  await announceSessionsEnded(app.db)
  for (const stream of streams) expect(await stream.text()).toMatch(/^: connected/)
})

test('mail programs wait too, by either password, and open connections end', async () => {
  const who = {
    userId: holder.id,
    sessionId: newId(),
    workspaceId,
    role: 'Holder',
    ip: '',
  } as const
  const form = { name: 'Phone', scopes: ['imap' as const], days: null }
  const { password } = await makeAppPassword(app, who, mailbox.id, form)
  const signIn = (typed: string) =>
    signInToMailbox(app, {
      ...{ login: mailbox.email, password: typed, scope: 'imap', ip: '192.0.2.9' },
    })
  const before = [await signIn(password), await signIn(HOLDERS_PASSWORD)]
  const signIns = before.flatMap((answer) => ('who' in answer ? [answer] : []))
  expect(signIns).toHaveLength(2)
  await requireIt(1)
  expect((await stillSignedIn(app, signIns)).size).toBe(2)
  app.clock.advance({ days: 1 })
  expect((await stillSignedIn(app, signIns)).size).toBe(0)
  for (const typed of [password, HOLDERS_PASSWORD])
    expect(await signIn(typed)).toMatchObject({
      ...{ refused: 'no-factor', message: expect.stringContaining('second factor is required') },
    })
  expect(await signIn('wrong')).toMatchObject({ refused: 'wrong' })
})

test('those without one are told by one mail, and again when their days change', async () => {
  const people = [member.user.email, holder.email]
  const before = await Promise.all(people.map((email) => mailsTo(app, email)))
  const told = async () => {
    await mailRequiredFactors(app)
    const now = await Promise.all(people.map((email) => mailsTo(app, email)))
    return now.map((count, nth) => count - (before[nth] ?? 0))
  }
  const admins = await mailsTo(app, admin.user.email)
  await requireIt(7)
  expect(await told()).toEqual([1, 1])
  expect(await told()).toEqual([1, 1])
  await admin.client.call('PUT', RULE, { graceDays: 7 })
  expect(await told()).toEqual([1, 1])
  await admin.client.call('PUT', RULE, { graceDays: 3 })
  expect(await told()).toEqual([2, 2])
  // About the authenticator app that they set up.
  expect(await mailsTo(app, admin.user.email)).toBe(admins + 1)
})

test('an operator requires it of everybody, with a factor of their own, and it is in the record', async () => {
  const made = { userId: admin.user.id, madeBy: 'terminal', madeAt: app.clock.now() }
  await app.db.insertInto('operators').values(made).execute()
  const { call } = admin.client
  const path = '/operator/second-factor'
  expect((await call('PUT', path, { graceDays: 5 })).body.type).toBe('OWN_FACTOR_FIRST')
  await setUpTotp(app, admin.client, {})
  expect((await call('PUT', path, { graceDays: 5 })).body).toMatchObject({ graceDays: 5 })
  expect((await call('GET', path)).body).toMatchObject({ graceDays: 5 })
  const emails: string[] = []
  for (let cursor = '', isMore = true; isMore; ) {
    const { body } = await call('GET', `${path}/people?limit=200&cursor=${cursor}`)
    emails.push(...body.items.map(({ email }: { email: string }) => email))
    cursor = body.nextCursor ?? ''
    isMore = cursor !== ''
  }
  expect(emails).toHaveLength((await call('GET', path)).body.peopleWithout)
  expect(emails).toEqual(expect.arrayContaining([member.user.email, holder.email]))
  expect(emails).not.toContain(admin.user.email)
  expect(await workspaceOf(member)).toMatchObject({ factorDueAt: inDays(5) })
  // The record is in the order of its times.
  app.clock.advance({ seconds: 1 })
  expect((await call('PUT', path, { graceDays: null })).body.graceDays).toBeNull()
  expect(await workspaceOf(member)).toMatchObject({ factorDueAt: null })
  const actions = (await call('GET', '/operator/actions')).body
  expect(actions.items.slice(0, 2)).toMatchObject([
    { verb: 'setting change', subject: 'second factor', detail: 'not required' },
    { verb: 'setting change', subject: 'second factor', detail: 'required after 5 days' },
  ])
})
