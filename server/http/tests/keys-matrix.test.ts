/**
 * Every route of the contract times every key that must not open it. A new route falls into it by itself: it is refused to each of
 * these, changes nothing, and shows no word of what the key does not reach.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reachOf } from '#contract/developers/key-reach.ts'
import { KEY_SCOPES, type KeyScope, keyUse } from '#contract/developers/scopes.ts'
import type { Route } from '#contract/route.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type Mailbox,
  type User,
} from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'
import { goodBodies } from './good-bodies.ts'

/** The DNS of the demo is served by the demo. */
const routes = (await declaredRoutes()).filter(
  ({ access, path }) => access !== 'anyone' && !path.startsWith('/sandbox-dns'),
)
const scopesOf = (route: Route): readonly KeyScope[] | null => {
  const use = keyUse(route)
  return use !== 'open' && 'scopes' in use ? use.scopes : null
}
const allowed = routes.filter((route) => scopesOf(route) !== null)

let app: TestApp
let server: FastifyInstance
let workspaceId: string
let maker: User
let domain: Domain
let box: Mailbox
let elsewhere: Domain
let state: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  maker = await aUser(app)
  const members = [{ user: maker, role: 'Admin' as const }]
  workspaceId = (await aWorkspace(app, { members })).id
  domain = await aDomain(app, { workspaceId, active: true })
  elsewhere = await aDomain(app, { workspaceId, active: true })
  box = await aMailbox(app, { domain })
  await letRead(app, box, maker.id)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const clientOf = async (user: Pick<User, 'id'>) =>
  anApiClient(server, (await aSession(app, user)).headers)
/** A session of its own each time: tests move the clock. */
const must = async (method: string, path: string, body?: object, by: User = maker) => {
  const answer = await (await clientOf(by)).call(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}
const byKey = (key: string, headers: Record<string, string> = {}) =>
  anApiClient(server, { authorization: `Bearer ${key}`, ...headers })

const aKey = async (form: object = {}, by = maker): Promise<{ _id: string; key: string }> => {
  const made = await must('POST', '/api-keys', { name: 'Key', scopes: KEY_SCOPES, ...form }, by)
  // Its first use is written.
  await byKey(made.key).call('GET', '/key')
  return made
}

/** With what is there: a domain, or a mailbox, and its objects that are not. */
const ask = (route: Route, client: ApiClient, id = idFor(route)) =>
  client.call(
    route.method,
    route.path.replace('{id}', id).replace(/\{\w+\}/g, newId()),
    goodBodies[nameOf(route)],
  )
const idFor = ({ path }: Route): string => (path.startsWith('/mailboxes') ? box.id : domain.id)

type Refusal = { status: number; type: string }
const expectRefused = async (
  client: ApiClient,
  asked: readonly Route[],
  refusals: readonly Refusal[],
): Promise<void> => {
  state = await stateOf(app.db)
  expect(asked.length).toBeGreaterThan(50)
  for (const route of asked) {
    // Or the network of the test would be stopped.
    await app.db.deleteFrom('throttles').execute()
    const { status, body } = await ask(route, client)
    expect(refusals, `${nameOf(route)} ${JSON.stringify(body)}`).toContainEqual({
      ...{ status, type: body.type },
    })
  }
  expect(await stateOf(app.db)).toBe(state)
}
const FORBIDDEN = { status: 403, type: 'FORBIDDEN' }
const INVALID = { status: 401, type: 'INVALID_KEY' }
const ABSENT = { status: 404, type: 'NOT_EXISTS' }

test('the right key passes, and is asked for the scopes that are said', async () => {
  const { key } = await aKey()
  const reads = allowed.filter(({ method }) => method === 'GET')
  expect(reads.length).toBeGreaterThan(60)
  for (const route of allowed.filter(({ contentType }) => contentType !== 'text/event-stream')) {
    // What changes something is asked for an object that is not there.
    const id = route.method === 'GET' ? idFor(route) : newId()
    const { status, body } = await ask(route, byKey(key), id)
    expect([401, 403], `${nameOf(route)} ${JSON.stringify(body)}`).not.toContain(status)
  }
})

test('no key opens what is not for keys', async () => {
  const { key } = await aKey()
  const closed = routes.filter((route) => scopesOf(route) === null)
  await expectRefused(byKey(key), closed, [FORBIDDEN])
})

describe.each(KEY_SCOPES.map((scope) => [scope]))('a key without %s', (scope) => {
  test('opens nothing that needs it', async () => {
    const { key } = await aKey({ scopes: KEY_SCOPES.filter((each) => each !== scope) })
    const needing = allowed.filter((route) => scopesOf(route)?.includes(scope))
    expect(needing).not.toEqual([])
    const before = await stateOf(app.db)
    for (const route of needing) {
      const { status, body } = await ask(route, byKey(key))
      expect({ status, message: body.message }, nameOf(route)).toEqual({
        ...{ status: 403, message: `This API key lacks ${scope}` },
      })
    }
    expect(await stateOf(app.db)).toBe(before)
  })
})

/** Such a key opens nothing at all. */
const ended: Record<string, () => Promise<ApiClient>> = {
  'that has expired': async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 1000).toISOString()
    const { key } = await aKey({ expiresAt })
    app.clock.advance({ seconds: 1 })
    return byKey(key)
  },
  'that was ended': async () => {
    const { _id, key } = await aKey()
    await must('DELETE', `/api-keys/${_id}`)
    return byKey(key)
  },
  'of a member who left': async () => {
    const user = await aMember('Admin')
    const { key } = await aKey({}, user)
    await must('DELETE', `/members/${user.id}`)
    return byKey(key)
  },
  'of a member who lost a role': async () => {
    const user = await aMember('Admin')
    const { key } = await aKey({ kind: 'person' }, user)
    await must('PATCH', `/members/${user.id}`, { role: 'Editor' })
    return byKey(key)
  },
}

const aMember = async (role: 'Admin'): Promise<User> => {
  const user = await aUser(app, { currentWorkspaceId: workspaceId })
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role, createdAt: app.clock.now() })
    .execute()
  return user
}

test.each(Object.entries(ended))('a key %s opens nothing', async (_name, make) => {
  const client = await make()
  await expectRefused(client, routes, [INVALID])
})

test('a key from another network opens nothing', async () => {
  const { _id, key } = await aKey()
  await must('PATCH', `/api-keys/${_id}`, { ips: ['192.0.2.0/24'] })
  await expectRefused(byKey(key), routes, [FORBIDDEN])
})

test('a key of another workspace opens nothing here, whatever it asks for', async () => {
  const user = await aUser(app)
  await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const { key } = await aKey({}, user)
  await expectRefused(byKey(key, { 'x-workspace-id': workspaceId }), routes, [ABSENT])
  const naming = routes.filter(({ path }) => path.includes('{id}'))
  await expectRefused(byKey(key), naming, [ABSENT, FORBIDDEN])
})

test('a key that is narrowed elsewhere reaches nothing of this domain and its mailbox', async () => {
  const { key } = await aKey({ domains: [elsewhere.id] })
  const client = byKey(key)
  const refused = routes.filter((route) =>
    ['domain', 'mailbox', null].includes(reachOf(route) ?? null),
  )
  await expectRefused(client, refused, [ABSENT, FORBIDDEN])
  for (const route of allowed.filter((each) => ['domain', 'mailbox'].includes(reachOf(each) ?? '')))
    expect((await ask(route, client)).body.type, nameOf(route)).toBe('NOT_EXISTS')
  const before = await stateOf(app.db)
  for (const route of allowed.filter((each) => reachOf(each) === 'in-feature')) {
    const form = goodBodies[nameOf(route)]
    const named = JSON.stringify(form)?.replaceAll('ours.example', domain.name)
    const answer = await client.call(route.method, route.path, named && JSON.parse(named))
    expect(answer.status, nameOf(route)).toBe(route.method === 'GET' ? 200 : 422)
    expect(JSON.stringify(answer.body), nameOf(route)).not.toMatch(
      new RegExp(`${domain.id}|${box.id}|${box.email}`),
    )
  }
  expect(await stateOf(app.db)).toBe(before)
})

test('a key that is narrowed to the domain, or to the mailbox, passes where it reaches', async () => {
  // What could be shown beside it: a neighbour, a link to both domains.
  const neighbour = await aMailbox(app, { domain: elsewhere })
  await letRead(app, neighbour, maker.id)
  await must('POST', '/dns-links', { ids: [domain.id, elsewhere.id], days: 7 })
  const words = new RegExp(`${elsewhere.name}|${neighbour.id}|${elsewhere.id}`)
  for (const narrowing of [{ domains: [domain.id] }, { mailboxes: [box.id] }]) {
    const { key } = await aKey(narrowing)
    const reads = allowed.filter(
      (route) => route.method === 'GET' && ['domain', 'mailbox'].includes(reachOf(route) ?? ''),
    )
    expect(reads.length).toBeGreaterThan(30)
    for (const route of reads) {
      const isReached = reachOf(route) === 'mailbox' || 'domains' in narrowing
      const { status, body } = await ask(route, byKey(key))
      expect(JSON.stringify(body), nameOf(route)).not.toMatch(words)
      if (isReached) expect([401, 403], nameOf(route)).not.toContain(status)
      else expect(body.type, nameOf(route)).toBe('NOT_EXISTS')
    }
  }
})
