/** Saved views of lists: each member's own, in one workspace. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_SAVED_VIEWS } from '#contract/saved-views.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type User } from '#test-world/builders.ts'
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

const clientOf = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)

const twoMembers = async () => {
  const [admin, editor] = [await aUser(app), await aUser(app)]
  const workspace = await aWorkspace(app, {
    members: [
      { user: admin, role: 'Admin' },
      { user: editor, role: 'Editor' },
    ],
  })
  const [ada, eve] = [await clientOf(admin), await clientOf(editor)]
  return { workspace, admin, editor, ada, eve }
}

const failing = { list: 'domains', name: 'Failing SPF', query: 'state=failed&record=spf' }
const save = (client: ApiClient, form: object = failing) => client.call('POST', '/views', form)
const viewsOf = async (client: ApiClient, headers = {}) =>
  (await client.call('GET', '/views', undefined, headers)).body

test('a view is saved, replaced, renamed and deleted by its member alone', async () => {
  const { ada, eve } = await twoMembers()
  const { status, body } = await save(ada)
  expect(status).toBe(201)
  expect(await viewsOf(ada)).toEqual([{ _id: body._id, ...failing }])
  const again = await save(ada, { ...failing, query: 'state=failed' })
  expect(again.body).toEqual({ _id: body._id, ...failing, query: 'state=failed' })
  const other = (await save(ada, { ...failing, name: 'Other' })).body
  await save(ada, { ...failing, list: 'mailboxes' })
  expect(await viewsOf(ada)).toHaveLength(3)
  const path = `/views/${body._id}`
  for (const [name, answer] of [
    ['Other', { status: 409, body: { message: 'You have a view of this name already' } }],
    ['', { status: 422, body: { data: { name: 'Please enter a name' } } }],
    ['Renamed', { status: 200, body: { name: 'Renamed' } }],
  ] as const)
    expect(await ada.call('PATCH', path, { name })).toMatchObject(answer)

  expect(await viewsOf(eve)).toEqual([])
  for (const id of [body._id, 'x', other._id.replace(/.$/, '0')]) {
    expect((await eve.call('PATCH', `/views/${id}`, { name: 'Hers' })).status).toBe(404)
    expect((await eve.call('DELETE', `/views/${id}`)).status).toBe(404)
  }
  expect((await ada.call('DELETE', path)).status).toBe(200)
  expect((await ada.call('DELETE', path)).status).toBe(404)
})

test('a list has so many views, also when the last ones are saved at once', async () => {
  const { ada } = await twoMembers()
  for (let n = 1; n < MAX_SAVED_VIEWS; n++) await save(ada, { ...failing, name: `View ${n}` })
  const answers = await Promise.all([1, 2, 3].map((n) => save(ada, { ...failing, name: `Z ${n}` })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
    'You have 20 saved views of this list. Delete one of them first',
  )
  expect((await save(ada, { ...failing, list: 'mailboxes' })).status).toBe(201)
})

test('views stay in their workspace, and end with the membership', async () => {
  const { ada, eve, admin, editor, workspace } = await twoMembers()
  await save(ada)
  const other = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  const there = { 'x-workspace-id': other.id }
  expect(await viewsOf(ada, there)).toEqual([])
  const [mine] = await viewsOf(ada)
  expect((await ada.call('DELETE', `/views/${mine._id}`, undefined, there)).status).toBe(404)
  await save(eve)
  expect((await ada.call('DELETE', `/members/${editor.id}`)).status).toBe(200)
  const left = await app.db
    .selectFrom('savedViews')
    .select('userId')
    .where('workspaceId', '=', workspace.id)
    .execute()
  expect(left).toEqual([{ userId: admin.id }])
})

test('mailboxes are counted as their list is narrowed, and by whose they are', async () => {
  const { ada, workspace } = await twoMembers()
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  await aMailbox(app, { domain, firstName: 'Grace', usedBytes: 1234 })
  await aMailbox(app, { domain, status: 'suspended' })
  await aMailbox(app)
  const count = async (query: string, client = ada) =>
    (await client.call('GET', `/mailboxes/count${query}`)).body.count
  expect(await count('')).toBe(2)
  expect(await count('?status=suspended')).toBe(1)
  expect(await count('?q=grace&access=none')).toBe(1)
  expect(await count('?q=nobody')).toBe(0)
  const user = await aUser(app)
  await app.db
    .insertInto('members')
    .values({
      ...{ workspaceId: workspace.id, userId: user.id, role: 'User' },
      createdAt: app.clock.now(),
    })
    .execute()
  const plain = anApiClient(server, {
    ...(await aSession(app, user)).headers,
    'x-workspace-id': workspace.id,
  })
  expect(await count('', plain)).toBe(0)
  expect((await ada.call('GET', '/mailboxes?q=grace')).body.items).toMatchObject([
    { firstName: 'Grace', usedBytes: 1234 },
  ])
})
