import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let workspaceId: string
let domain: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const signedIn = await aVerifiedAccount(app, anApiClient(server), 'ada@example.org')
  ada = anApiClient(server, { authorization: `Bearer ${signedIn.token}` })
  workspaceId = (await ada.call('GET', '/workspaces')).body[0]._id
  domain = (await aDomain(app, { workspaceId, active: true })).name
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const form = (local: string, changes: Record<string, unknown> = {}) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `${local}@${domain}`,
  domain,
  ...changes,
})

test('a mailbox is created, read, listed, edited, paid for, suspended and deleted', async () => {
  const made = await ada.call('POST', '/mailboxes', form('life'))
  expect(made).toMatchObject({
    status: 201,
    body: { fullName: 'Ada Lovelace', status: 'inactive' },
  })
  const path = `/mailboxes/${made.body._id}`
  expect(await ada.call('GET', path)).toMatchObject({ status: 200, body: made.body })
  const access = { state: 'none', name: '', readers: 0, linkMailedTo: null, lastLoginAt: null }
  expect((await ada.call('GET', `/mailboxes?domain=${domain}&limit=1`)).body).toEqual({
    items: [{ ...made.body, access, usedBytes: 0 }],
    nextCursor: null,
  })
  expect((await ada.call('PATCH', path, { lastName: 'King' })).body.fullName).toBe('Ada King')

  const payment = { mailboxIds: [made.body._id] }
  const paid = await ada.call('POST', '/payments', payment, { 'idempotency-key': 'k-1' })
  expect(paid).toMatchObject({ status: 201, body: { amountCents: 200, status: 'Due' } })
  const again = await ada.call('POST', '/payments', payment, { 'idempotency-key': 'k-1' })
  expect(again.body).toEqual(paid.body)
  expect(await ada.call('POST', '/payments', payment)).toMatchObject({
    status: 422,
    body: { type: 'NOTHING_TO_PAY' },
  })
  expect((await ada.call('GET', '/invoices')).body.items).toEqual([paid.body])

  expect((await ada.call('PATCH', path, { status: 'suspended' })).body.status).toBe('suspended')
  expect((await ada.call('GET', '/stats')).body.mailboxes).toMatchObject({ total: 1, suspended: 1 })
  expect((await ada.call('DELETE', path)).status).toBe(200)
  expect((await ada.call('GET', path)).status).toBe(404)
})

test('generating takes any text in names and answers the new mailboxes', async () => {
  const awkward = { firstName: `"Ada",\\ {'x'}`, lastName: 'null, NULL' }
  const names = [awkward, { firstName: 'Zoë Anna', lastName: 'Müller' }]
  const body = { domains: [domain], count: 2, names, signature: '<p>\\"{}</p>' }
  const made = await ada.call('POST', '/mailboxes/generate', body)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject([
    { ...awkward, email: `adax.nullnull@${domain}`, signature: '<p>\\"{}</p>' },
    { email: `zoeanna.muller@${domain}` },
  ])
  expect((await ada.call('POST', '/mailboxes/generate', { ...body, count: 3 })).body.data).toEqual({
    names: 'You must provide 3 name(s)',
  })
})

test.each([
  ['a short first name', { firstName: 'A' }, { firstName: 'Empty first name' }],
  ['a missing last name', { lastName: undefined }, { lastName: 'Empty last name' }],
  ['no address', { email: 'x' }, { email: 'Invalid email address' }],
  ['a broken domain', { domain: 'ab..cd' }, { domain: expect.stringMatching(/^Invalid domain/) }],
  ['a NUL', { signature: 'a\u0000b' }, { signature: expect.any(String) }],
  ['a line break', { lastName: 'Love\r\nlace' }, { lastName: expect.any(String) }],
  ['a number', { firstName: 12 }, { firstName: 'Empty first name' }],
  ['an unknown field', { isAdmin: true }, { isAdmin: 'Unknown field' }],
  ['the status', { status: 'active' }, { status: 'Unknown field' }],
])('a form with %s is refused, and changes nothing', async (_what, changes, data) => {
  const before = (await ada.call('GET', '/stats')).body.mailboxes.total
  const answer = await ada.call('POST', '/mailboxes', form('x', changes))
  expect(answer).toMatchObject({ status: 422, body: { type: 'VALIDATION' } })
  expect(answer.body.data).toEqual(data)
  expect((await ada.call('GET', '/stats')).body.mailboxes.total).toBe(before)
})

test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'status=paid', 'unknown=1', 'q=%00'])(
  'a list with %s is refused',
  async (query) => {
    expect(await ada.call('GET', `/mailboxes?${query}`)).toMatchObject({
      status: 422,
      body: { type: 'VALIDATION' },
    })
  },
)

test('foreign, random and malformed ids answer alike', async () => {
  const foreign = await aMailbox(app, { status: 'inactive' })
  for (const [method, body] of [['GET'], ['PATCH', { firstName: 'Eve' }], ['DELETE']] as const)
    for (const id of [foreign.id, newId(), 'x', '%00', "1'--"]) {
      const answer = await ada.call(method, `/mailboxes/${id}`, body)
      const { path, ...same } = answer.body
      expect(path).toBe(`/api/v1/mailboxes/${id}`)
      expect({ id, status: answer.status, ...same }).toEqual({
        id,
        status: 404,
        type: 'NOT_EXISTS',
        message: 'Not found',
        statusCode: 404,
        data: {},
      })
    }
  const payment = await ada.call('POST', '/payments', { mailboxIds: [foreign.id] })
  expect(payment).toMatchObject({ status: 404, body: { type: 'NOT_EXISTS' } })
})

test('what a role may not do is refused', async () => {
  const as = (role: 'Admin' | 'Editor' | 'User') =>
    app.db.updateTable('members').set({ role }).where('workspaceId', '=', workspaceId).execute()
  const mailbox = await aMailbox(app, {
    domain: await aDomain(app, { workspaceId, active: true }),
    status: 'inactive',
  })
  const payment = { mailboxIds: [mailbox.id] }
  await as('Editor')
  expect((await ada.call('POST', '/payments', payment)).status).toBe(403)
  expect((await ada.call('GET', '/invoices')).status).toBe(403)
  expect((await ada.call('PATCH', `/mailboxes/${mailbox.id}`, {})).status).toBe(200)
  await as('User')
  expect((await ada.call('POST', '/mailboxes', form('user'))).status).toBe(403)
  expect((await ada.call('DELETE', `/mailboxes/${mailbox.id}`)).status).toBe(403)
  expect((await ada.call('GET', `/mailboxes/${mailbox.id}`)).status).toBe(403)
  const { items } = (await ada.call('GET', '/mailboxes')).body
  expect(items.map((item: { _id: string }) => item._id)).not.toContain(mailbox.id)
  await as('Admin')
  expect((await anApiClient(server).call('GET', '/mailboxes')).status).toBe(401)
})
