/** The maker of a key changes it: each part alone, with what is wrong at its field, and a mail when it may do more. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiClient, anApiClient, mailsTo } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aUser, aWorkspace, type Domain, type User } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

let maker: User
let client: ApiClient
let domain: Domain
let other: Domain
let key: { _id: string; key: string }
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS).toISOString()

beforeEach(async () => {
  maker = await aUser(app)
  const { id: workspaceId } = await aWorkspace(app, { members: [{ user: maker, role: 'Admin' }] })
  domain = await aDomain(app, { workspaceId })
  other = await aDomain(app, { workspaceId })
  client = anApiClient(server, (await aSession(app, maker)).headers)
  const form = {
    ...{ name: 'Onboarding', scopes: ['domains:read', 'domains:write'], domains: [domain.id] },
    ...{ ips: ['127.0.0.0/8', '192.0.2.0/24'], expiresAt: inDays(10) },
  }
  key = (await client.call('POST', '/api-keys', form)).body
})

const change = (form: object) => client.call('PATCH', `/api-keys/${key._id}`, form)
const mails = () => mailsTo(app, maker.email)
const status = async (path: string) =>
  (await anApiClient(server, { authorization: `Bearer ${key.key}` }).call('GET', path)).status

test('less is less at once, and is not mailed', async () => {
  const before = await mails()
  expect(await status('/domains')).toBe(200)
  const changed = await change({ name: 'Less', scopes: ['domains:write'], ips: ['127.0.0.0/8'] })
  expect(changed.body).toMatchObject({ name: 'Less', scopes: ['domains:write'] })
  expect(changed.body).toMatchObject({ ips: ['127.0.0.0/8'], domains: [domain.id] })
  expect(await status('/domains')).toBe(403)
  expect((await change({ expiresAt: inDays(5) })).body.expiresAt).toBe(inDays(5))
  expect((await change({})).body).toMatchObject({ name: 'Less', expiresAt: inDays(5) })
  expect(await mails()).toBe(before)
  app.clock.advance({ days: 5 })
  expect(await status('/key')).toBe(401)
})

test.each([
  ['a scope', () => ({ scopes: ['domains:read', 'domains:write', 'mail:send'] })],
  ['another domain', () => ({ domains: [domain.id, other.id] })],
  ['the whole workspace', () => ({ domains: null })],
  ['another network', () => ({ ips: ['127.0.0.0/8', '198.51.100.0/24'] })],
  ['every network', () => ({ ips: [] })],
  ['a later day', () => ({ expiresAt: inDays(11) })],
  ['no day', () => ({ expiresAt: null })],
])('more by %s is mailed to its maker, with the way to end the session', async (_what, form) => {
  const before = await mails()
  const changed = await change(form())
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject(form())
  expect(await mails()).toBe(before + 1)
})

test('what is wrong is said at its field, and changes nothing', async () => {
  const before = (await client.call('GET', `/api-keys/${key._id}`)).body
  for (const [form, field] of [
    [{ name: ' ' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes.0'],
    [{ ips: ['somewhere'] }, 'ips.0'],
    [{ domains: [] }, 'domains'],
    [{ expiresAt: inDays(-1) }, 'expiresAt'],
    [{ kind: 'person' }, 'kind'],
  ] as const) {
    const { body } = await change(form)
    expect(body, field).toMatchObject({ type: 'VALIDATION', data: { [field]: expect.any(String) } })
  }
  expect((await client.call('GET', `/api-keys/${key._id}`)).body).toEqual(before)
})

test('a key that has expired works again with another day, and no key changes a key', async () => {
  app.clock.advance({ days: 10 })
  client = anApiClient(server, (await aSession(app, maker)).headers)
  expect(await status('/key')).toBe(401)
  expect((await change({ name: 'Still over' })).status).toBe(200)
  expect(await status('/key')).toBe(401)
  expect((await change({ expiresAt: inDays(1) })).status).toBe(200)
  expect(await status('/key')).toBe(200)
  const byKey = anApiClient(server, { authorization: `Bearer ${key.key}` })
  expect((await byKey.call('PATCH', `/api-keys/${key._id}`, { domains: null })).status).toBe(403)
})
