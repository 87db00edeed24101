/** Deleting and taking back by the API: what the specification's calls answer, and what stands beside them. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Domain, letRead } from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let workspaceId: string
let domain: Domain
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})
beforeEach(async () => {
  const passwordHash = await hashPassword('Engine-No-1!', 'test')
  const user = await aUser(app, { passwordHash })
  workspaceId = (await aWorkspace(app, { name: 'Engines', members: [{ user, role: 'Admin' }] })).id
  domain = await aDomain(app, { workspaceId, active: true })
  ada = anApiClient(server, (await aSession(app, user)).headers)
})

const aColleague = async (role: Role) => {
  const user = await aUser(app)
  const createdAt = app.clock.now()
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: user.id, role, createdAt })
    .execute()
  return { user, client: anApiClient(server, (await aSession(app, user)).headers) }
}
/** With a holder: deleting it waits. */
const aUsedMailbox = async () => {
  const mailbox = await aMailbox(app, { domain })
  await aHolder(app, mailbox)
  return mailbox
}
const namesIn = async (client: ApiClient, path: string) => {
  const { body } = await client.call('GET', path)
  return (body.items ?? body).map(({ email, name }: Record<string, string>) => email ?? name)
}

test('a deleted mailbox answers 404 and is in no list, until it is taken back', async () => {
  const mailbox = await aUsedMailbox()
  const path = `/mailboxes/${mailbox.id}`
  expect((await ada.call('GET', `${path}/deletion`)).body).toMatchObject({
    ...{ name: mailbox.email, people: 1, mayDelete: true, endsAt: expect.any(String) },
  })
  expect(await ada.call('DELETE', path)).toMatchObject({
    ...{ status: 200, body: { message: 'Mailbox deleted' } },
  })
  for (const [method, at] of [
    ['GET', path],
    ['DELETE', path],
    ['PATCH', path],
    ['GET', `${path}/deletion`],
  ] as const)
    expect((await ada.call(method, at, method === 'PATCH' ? {} : undefined)).status).toBe(404)
  expect(await namesIn(ada, '/mailboxes')).toEqual([])
  expect(await namesIn(ada, '/deleted')).toEqual([mailbox.email])
  const again = { firstName: 'Ada', lastName: 'King', email: mailbox.email, domain: domain.name }
  expect(await ada.call('POST', '/mailboxes', again)).toMatchObject({
    ...{ status: 422, body: { data: { email: expect.stringContaining('Take it back') } } },
  })
  expect(await ada.call('POST', `/deleted/${mailbox.id}/restore`)).toMatchObject({
    ...{ status: 200, body: { message: `${mailbox.email} is back` } },
  })
  expect(await namesIn(ada, '/mailboxes')).toEqual([mailbox.email])
  expect((await ada.call('POST', `/deleted/${mailbox.id}/restore`)).status).toBe(404)
})

test('its holder signs in and reads on, and hears that nothing can be sent', async () => {
  const mailbox = await aUsedMailbox()
  const user = await app.db
    .selectFrom('users')
    .selectAll()
    .where('mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  const holder = anApiClient(server, (await aSession(app, user)).headers)
  expect((await ada.call('DELETE', `/mailboxes/${mailbox.id}`)).status).toBe(200)
  const { items } = (await holder.call('GET', '/mailboxes?readable=true')).body
  expect(items).toMatchObject([{ email: mailbox.email, endsAt: expect.any(String) }])
  expect((await holder.call('GET', `/mailboxes/${mailbox.id}/folders`)).status).toBe(200)
  const mail = { to: ['eve@elsewhere.example'], subject: 'Hi', text: 'Hi' }
  expect(await holder.call('POST', `/mailboxes/${mailbox.id}/messages`, mail)).toMatchObject({
    ...{ status: 409, body: { type: 'MAILBOX_DELETED' } },
  })
})

test('a deleted domain answers 404 and is in no list; an Admin ends it now by its name', async () => {
  await aUsedMailbox()
  const path = `/domains/${domain.id}`
  expect((await ada.call('GET', `${path}/deletion`)).body).toMatchObject({
    mailboxes: 1,
    people: 1,
  })
  expect(await ada.call('DELETE', path)).toMatchObject({
    ...{ status: 200, body: { message: 'Domain deleted' } },
  })
  for (const at of [path, `${path}/deletion`, `/dns-records/dns/${domain.id}`])
    expect((await ada.call('GET', at)).status).toBe(404)
  expect((await ada.call('GET', '/domains')).body).toEqual([])
  expect((await ada.call('GET', '/domains/health')).body).toEqual([])
  expect((await ada.call('GET', '/deleted')).body).toMatchObject({
    ...{ items: [{ _id: domain.id, kind: 'domain', name: domain.name, mailboxes: 1 }] },
  })
  const end = (name: string) => ada.call('POST', `/deleted/${domain.id}/end`, { name })
  expect((await end('other.example')).body.data).toEqual({ name: 'This is not its name' })
  expect((await end(domain.name)).status).toBe(200)
  expect((await ada.call('GET', '/deleted')).body.items).toEqual([])
})

test('who may', async () => {
  const mailbox = await aUsedMailbox()
  const given = await aMailbox(app, { domain })
  const { user: reader, client: plain } = await aColleague('User')
  await letRead(app, given, reader.id, 'given')
  const { client: editor } = await aColleague('Editor')
  const refused = (
    client: ApiClient,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ) => client.call(method, path, body).then(({ status }) => status)
  for (const client of [editor, plain]) {
    expect(await refused(client, 'DELETE', `/domains/${domain.id}`)).toBe(403)
    expect(await refused(client, 'DELETE', `/mailboxes/${mailbox.id}`)).toBe(403)
    expect(await refused(client, 'DELETE', `/mailboxes/${given.id}`)).toBe(403)
    const form = { name: 'Engines', password: 'Engine-No-1!' }
    expect(await refused(client, 'POST', `/workspaces/${workspaceId}/deletion`, form)).toBe(403)
  }
  expect((await ada.call('DELETE', `/mailboxes/${given.id}`)).status).toBe(200)
  expect((await ada.call('DELETE', `/domains/${domain.id}`)).status).toBe(200)
  for (const client of [editor, plain]) {
    expect(await refused(client, 'POST', `/deleted/${domain.id}/restore`)).toBe(403)
    const end = { name: domain.name }
    expect(await refused(client, 'POST', `/deleted/${domain.id}/end`, end)).toBe(403)
  }
  expect(await refused(plain, 'GET', '/deleted')).toBe(403)
  expect((await namesIn(editor, '/deleted')).toSorted()).toEqual(
    [domain.name, given.email].toSorted(),
  )
})

test('what waits is listed page by page, the last end first', async () => {
  const expected: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const mailbox = await aUsedMailbox()
    app.clock.advance({ minutes: 1 })
    await ada.call('DELETE', `/mailboxes/${mailbox.id}`)
    expected.unshift(mailbox.email)
  }
  app.clock.advance({ minutes: 1 })
  await ada.call('DELETE', `/domains/${domain.id}`)
  // A mailbox waits longer than a domain.
  expected.push(domain.name)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ada.call('GET', `/deleted?limit=2${cursor && `&cursor=${cursor}`}`)
    expect(body.items.length).toBe(2)
    seen.push(...body.items.map(({ name }: { name: string }) => name))
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  expect(seen).toEqual(expected)
  expect((await ada.call('GET', '/deleted?cursor=x')).status).toBe(422)
  expect(await namesIn(ada, '/deleted?kind=domain')).toEqual([domain.name])
  expect(await namesIn(ada, '/deleted?kind=mailbox')).toEqual(expected.slice(0, -1))
  expect((await ada.call('GET', `/deleted/${domain.id}`)).body.name).toBe(domain.name)
  expect((await ada.call('GET', '/deleted/x')).status).toBe(404)
})

test('a workspace is deleted with its name and a password, listed with its end, pays for nothing, and is taken back', async () => {
  const path = `/workspaces/${workspaceId}/deletion`
  expect((await ada.call('GET', path)).body).toMatchObject({ name: 'Engines', domains: 1 })
  const form = { name: 'Engines', password: 'Engine-No-1!' }
  const wrong = await ada.call('POST', path, { name: 'Engine', password: 'x' })
  expect(wrong.body.data).toEqual({ name: 'This is not the name of the workspace' })
  const unpaid = await aMailbox(app, { domain, status: 'inactive' })
  const { status, body } = await ada.call('POST', path, form)
  expect(status).toBe(200)
  expect(body).toMatchObject({ _id: workspaceId, kind: 'workspace', mailboxes: 1 })
  expect((await ada.call('GET', '/workspaces')).body).toMatchObject([{ endsAt: body.endsAt }])
  const payment = { mailboxIds: [unpaid.id] }
  for (const again of [
    await ada.call('POST', path, form),
    await ada.call('POST', '/payments', payment),
  ])
    expect(again).toMatchObject({ status: 409, body: { type: 'WORKSPACE_DELETED' } })
  expect((await ada.call('POST', `/deleted/${workspaceId}/restore`)).status).toBe(200)
  expect((await ada.call('GET', '/workspaces')).body).toMatchObject([{ endsAt: null }])
})
