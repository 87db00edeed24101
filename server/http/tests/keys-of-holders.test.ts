/** API keys of people who sign in with the address of one mailbox, and how the keys of all people end with the person. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOLDER_SCOPES, KEY_SCOPES, keyUse } from '#contract/developers/scopes.ts'
import { rolesThatCan } from '#contract/rights.ts'
import type { Route } from '#contract/route.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, mailedToken } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { acceptBody, accessTokenFrom, aHolder } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app, { keys: { perMinuteOfKey: 1e6, perMinuteOfWorkspace: 1e6 } })
})
afterAll(async () => {
  await server.close()
  await app.close()
})

let admin: ApiClient
let adminUser: User
let box: Mailbox
let neighbour: Mailbox
let holderUser: User
let holder: ApiClient
beforeEach(async () => {
  adminUser = await aUser(app)
  const { id: workspaceId } = await aWorkspace(app, {
    members: [{ user: adminUser, role: 'Admin' }],
  })
  const domain = await aDomain(app, { workspaceId, active: true })
  box = await aMailbox(app, { domain })
  neighbour = await aMailbox(app, { domain })
  holderUser = await aHolder(app, box)
  admin = await clientOf(adminUser)
  holder = await clientOf(holderUser)
})

const clientOf = async (user: Pick<User, 'id'>) =>
  anApiClient(server, (await aSession(app, user)).headers)
const byKey = (key: string) => anApiClient(server, { authorization: `Bearer ${key}` })
const make = (form: object = {}, by = holder) =>
  by.call('POST', '/api-keys', { kind: 'person', name: 'Script', scopes: HOLDER_SCOPES, ...form })
const aKey = async (form: object = {}, by = holder): Promise<{ _id: string; key: string }> => {
  const { status, body } = await make(form, by)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const statusOf = async (key: string, path = '/key') => (await byKey(key).call('GET', path)).status

const routes = (await declaredRoutes()).filter(
  ({ access, path, contentType }) =>
    access !== 'anyone' && !path.startsWith('/sandbox-dns') && contentType !== 'text/event-stream',
)
const isForHolders = ({ access }: Route): boolean =>
  !['anyone', 'signed-in', 'operator', 'any-session'].includes(access) &&
  rolesThatCan(access as Parameters<typeof rolesThatCan>[0]).includes('Holder')
const scopesOf = (route: Route) => {
  const use = keyUse(route)
  return use !== 'open' && 'scopes' in use ? use.scopes : null
}

describe('a key of a holder', () => {
  test('does with the mailbox what its scopes say, and is seen by its maker alone', async () => {
    const { _id, key } = await aKey()
    const listed = await byKey(key).call('GET', '/mailboxes')
    expect(listed.body.items.map(({ _id }: { _id: string }) => _id)).toEqual([box.id])
    const mail = { to: ['grace@example.org'], subject: 'By a program', text: 'Hello' }
    expect((await byKey(key).call('POST', `/mailboxes/${box.id}/messages`, mail)).status).toBe(201)
    expect(await statusOf(key, `/mailboxes/${box.id}/messages?folder=sent`)).toBe(200)
    expect(await statusOf(key, `/mailboxes/${neighbour.id}/messages`)).toBe(403)
    expect((await byKey(key).call('GET', '/key')).body).toMatchObject({
      ...{ kind: 'person', domains: null, mailboxes: null, madeBy: { _id: holderUser.id } },
    })
    expect((await holder.call('GET', '/api-keys')).body).toMatchObject([{ _id }])
    expect((await admin.call('GET', '/api-keys')).body).toEqual([])
    expect((await admin.call('DELETE', `/api-keys/${_id}`)).status).toBe(404)
    expect((await holder.call('DELETE', `/api-keys/${_id}`)).status).toBe(200)
    expect(await statusOf(key)).toBe(401)
  })

  test('opens what is for holders, and nothing else of the contract', async () => {
    const { key } = await aKey()
    await statusOf(key)
    const opened = routes.filter((route) => isForHolders(route) && scopesOf(route) !== null)
    expect(opened.length).toBeGreaterThan(30)
    const ask = (route: Route, id: string) =>
      byKey(key).call(
        route.method,
        route.path.replace('{id}', id).replace(/\{\w+\}/g, newId()),
        goodBodies[nameOf(route)],
      )
    for (const route of opened) {
      const needed = scopesOf(route) ?? []
      const isTheirs = needed.every((scope) => HOLDER_SCOPES.includes(scope))
      if (route.method !== 'GET' && isTheirs) continue
      const { status, body } = await ask(route, box.id)
      if (isTheirs) expect([401, 403], `${nameOf(route)} ${body.message}`).not.toContain(status)
      else expect(status, nameOf(route)).toBe(403)
    }
    const state = await stateOf(app.db)
    for (const route of routes.filter((each) => !opened.includes(each))) {
      await app.db.deleteFrom('throttles').execute()
      expect((await ask(route, box.id)).status, nameOf(route)).toBe(403)
    }
    for (const route of routes.filter(({ path }) => path.startsWith('/mailboxes/{id}')))
      expect([403, 404], nameOf(route)).toContain((await ask(route, neighbour.id)).status)
    expect(await stateOf(app.db)).toBe(state)
  })

  test('has scopes that each open a route of theirs, and no others', async () => {
    const used = new Set(routes.filter(isForHolders).flatMap((route) => scopesOf(route) ?? []))
    for (const scope of HOLDER_SCOPES) expect([...used]).toContain(scope)
    for (const scope of KEY_SCOPES.filter((each) => !HOLDER_SCOPES.includes(each)))
      expect((await make({ scopes: [scope] })).body).toMatchObject({
        ...{ type: 'VALIDATION', data: { scopes: 'A key of one mailbox has nothing of this' } },
      })
  })

  test('is no key of the workspace, and is not narrowed', async () => {
    expect(await make({ kind: 'workspace' })).toMatchObject({ status: 403 })
    for (const narrowing of [{ domains: [box.domainId] }, { mailboxes: [box.id] }])
      expect((await make(narrowing)).body.type).toBe('VALIDATION')
    const { _id } = await aKey()
    const change = { scopes: ['billing:read'] }
    expect((await holder.call('PATCH', `/api-keys/${_id}`, change)).body.data).toEqual({
      scopes: 'A key of one mailbox has nothing of this',
    })
  })

  test('sleeps while the mailbox is suspended, and ends when the mailbox is taken back', async () => {
    const { key } = await aKey()
    const suspend = (status: string) =>
      app.db
        .updateTable('mailboxes')
        .set({ status: status as 'active' })
        .where('id', '=', box.id)
        .execute()
    await suspend('suspended')
    expect(await statusOf(key)).toBe(401)
    await suspend('active')
    expect(await statusOf(key)).toBe(200)
    expect((await admin.call('DELETE', `/mailboxes/${box.id}/access`)).status).toBe(200)
    expect(await statusOf(key)).toBe(401)
    const rows = await app.db
      .selectFrom('apiKeys')
      .select('id')
      .where('userId', '=', holderUser.id)
      .execute()
    expect(rows).toEqual([])
  })

  test('hears of its mail alone', async () => {
    const { key } = await aKey()
    if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as { port: number }
    const stream = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = (await reader?.read())?.value ?? ''
    await admin.call('POST', '/domains', { name: `${newId()}.example` })
    await holder.call('POST', `/mailboxes/${box.id}/folders`, { name: 'By hand' })
    while (!seen.includes('data: ')) seen += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    expect(seen).toContain('"topic":"messages"')
    expect(seen).not.toContain('"topic":"domains"')
  })
})

describe('a password that a mailed link sets', () => {
  const set = async (path: string, session: string) => {
    app.clock.advance({ seconds: 1 })
    const answer = await anApiClient(server).call('POST', path, acceptBody(session, 'Engine-No-2!'))
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  }

  test('ends the keys of the person, and not those of the workspace that they made', async () => {
    const scopes = ['domains:read']
    const own = await aKey({ scopes }, admin)
    const shared = await aKey({ scopes, kind: 'workspace' }, admin)
    await anApiClient(server).call('POST', '/auth/forgot-password', { email: adminUser.email })
    await set(
      '/auth/set-new-password',
      await mailedToken(app, adminUser.email, 'create-new-password'),
    )
    expect(await statusOf(own.key)).toBe(401)
    expect(await statusOf(shared.key)).toBe(200)
    app.clock.advance({ seconds: 1 })
    const next = await aKey({ scopes }, await clientOf(adminUser))
    expect(await statusOf(next.key)).toBe(200)
  })

  test('ends those of a holder', async () => {
    const { key } = await aKey()
    await set('/access/accept', await accessTokenFrom(admin, box.id))
    expect(await statusOf(key)).toBe(401)
  })
})
