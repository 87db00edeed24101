import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
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
} from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
const clients: Partial<Record<Role, ApiClient>> = {}
let domain: Domain
let ada: Mailbox
let theirs: Mailbox

beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const users = { Admin: await aUser(app), Editor: await aUser(app), User: await aUser(app) }
  const roles = Object.keys(users) as Role[]
  const workspace = await aWorkspace(app, {
    members: roles.map((role) => ({ user: users[role], role })),
  })
  for (const role of roles)
    clients[role] = anApiClient(server, (await aSession(app, users[role])).headers)
  domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  theirs = await aMailbox(app)
  await letRead(app, ada, users.User.id)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const call = (role: Role, method: string, path: string, body?: unknown) => {
  const client = clients[role]
  if (!client) throw new Error(`nobody is ${role}`)
  return client.call(method as 'GET', path, body)
}
const addressOf = (local: string) => `${local}@${domain.name}`

test('Admins and Editors add, list and remove aliases', async () => {
  const path = `/mailboxes/${ada.id}/aliases`
  for (const role of ['Admin', 'Editor'] as const) {
    const made = await call(role, 'POST', path, { email: ` ${addressOf(role).toUpperCase()} ` })
    expect(made).toMatchObject({ status: 201, body: { email: addressOf(role).toLowerCase() } })
    expect((await call(role, 'GET', path)).body).toEqual([made.body])
    expect(await call(role, 'DELETE', `${path}/${made.body._id}`)).toMatchObject({
      status: 200,
      body: { message: 'Alias removed' },
    })
    expect((await call(role, 'GET', path)).body).toEqual([])
  }
})

test('a User is refused all of it, but learns what the mailbox that is theirs to read may send as', async () => {
  const path = `/mailboxes/${ada.id}/aliases`
  const made = await call('Admin', 'POST', path, { email: addressOf('countess') })
  for (const [method, at, body] of [
    ['GET', path],
    ['POST', path, { email: addressOf('new') }],
    ['DELETE', `${path}/${made.body._id}`],
    ['PUT', `/domains/${domain.id}/catch-all`, { mailboxId: ada.id }],
    ['DELETE', `/domains/${domain.id}/catch-all`],
  ] as const)
    expect(await call('User', method, at, body), `${method} ${at}`).toMatchObject({
      status: 403,
      body: { type: 'FORBIDDEN' },
    })
  const addresses = `/mailboxes/${ada.id}/addresses`
  expect((await call('User', 'GET', addresses)).body).toEqual([ada.email, addressOf('countess')])
  expect((await call('Admin', 'GET', addresses)).status).toBe(403)
})

test('what a taken address answers', async () => {
  const path = `/mailboxes/${ada.id}/aliases`
  await call('Admin', 'POST', path, { email: addressOf('taken') })
  const message = `This address is an alias of ${ada.email}`
  expect(await call('Admin', 'POST', path, { email: addressOf('taken') })).toMatchObject({
    status: 409,
    body: { type: 'ADDRESS_TAKEN', message },
  })
  const mailbox = {
    ...{ firstName: 'Grace', lastName: 'Hopper' },
    ...{ email: addressOf('taken'), domain: domain.name },
  }
  expect(await call('Admin', 'POST', '/mailboxes', mailbox)).toMatchObject({
    status: 409,
    body: { type: 'ADDRESS_TAKEN', message },
  })
  for (let n = 0; n < 50; n++) await call('Admin', 'POST', path, { email: addressOf(`n${n}`) })
  expect(await call('Admin', 'POST', path, { email: addressOf('one-more') })).toMatchObject({
    status: 409,
    body: { type: 'ALIAS_LIMIT' },
  })
})

test('a catch-all is set, shown and removed by Admins and Editors', async () => {
  const at = `/domains/${domain.id}`
  for (const role of ['Admin', 'Editor'] as const) {
    const catchAll = { mailboxId: ada.id, email: ada.email }
    expect(
      await call(role, 'PUT', `${at}/catch-all`, { mailboxId: ada.id.toUpperCase() }),
    ).toMatchObject({ status: 200, body: { _id: domain.id, catchAll } })
    expect((await call(role, 'GET', at)).body.catchAll).toEqual(catchAll)
    expect((await call(role, 'GET', '/domains')).body[0].catchAll).toEqual(catchAll)
    expect((await call(role, 'DELETE', `${at}/catch-all`)).body).toEqual({
      message: 'Catch-all removed',
    })
    expect((await call(role, 'GET', at)).body.catchAll).toBeNull()
  }
})

test('a mailbox that is foreign, random or no id at all is no catch-all', async () => {
  for (const mailboxId of [theirs.id, newId(), 'x'])
    expect(
      await call('Admin', 'PUT', `/domains/${domain.id}/catch-all`, { mailboxId }),
    ).toMatchObject({ status: 404, body: { type: 'NOT_EXISTS', message: 'Not found', data: {} } })
  expect((await call('Admin', 'GET', `/domains/${domain.id}`)).body.catchAll).toBeNull()
})

test('sending from an address of somebody else is refused at that field', async () => {
  const message = { to: ['eve@elsewhere.example'], text: 'Hello' }
  const path = `/mailboxes/${ada.id}/messages`
  const from = `"${addressOf('countess')}" <ceo@elsewhere.example>`
  expect(await call('User', 'POST', path, { ...message, from })).toMatchObject({
    status: 422,
    body: { type: 'VALIDATION', data: { from: 'Invalid email address' } },
  })
  expect(await call('User', 'POST', path, { ...message, from: theirs.email })).toMatchObject({
    status: 422,
    body: { data: { from: 'This mailbox can send only from its own address and its aliases' } },
  })
  const sent = await call('User', 'POST', path, { ...message, from: addressOf('countess') })
  expect(sent).toMatchObject({ status: 201, body: { from: { address: addressOf('countess') } } })
})
