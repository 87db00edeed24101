/** What is done to many mailboxes by one call. */
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
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const { token } = await aVerifiedAccount(app, anApiClient(server), 'ada@example.org')
  ada = anApiClient(server, { authorization: `Bearer ${token}` })
  workspaceId = (await ada.call('GET', '/workspaces')).body[0]._id
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const statusesOf = (ids: string[]) =>
  app.db.selectFrom('mailboxes').select(['id', 'status']).where('id', 'in', ids).execute()

test('each row is judged by itself: what is foreign, unknown or unpaid stops no other', async () => {
  const domain = await aDomain(app, { workspaceId, active: true })
  const [first, second] = [
    await aMailbox(app, { domain, status: 'active' }),
    await aMailbox(app, { domain, status: 'active' }),
  ]
  const unpaid = await aMailbox(app, { domain, status: 'inactive' })
  const foreign = await aMailbox(app, { status: 'active' })
  const unknown = newId()
  const ids = [first.id, foreign.id, unknown, unpaid.id, second.id, first.id]
  const suspended = await ada.call('POST', '/mailboxes/batch/status', { ids, status: 'suspended' })
  expect(suspended).toMatchObject({
    status: 200,
    body: [
      { id: first.id, isDone: true, message: '' },
      { id: foreign.id, isDone: false, message: 'Not found' },
      { id: unknown, isDone: false, message: 'Not found' },
      { id: unpaid.id, isDone: false },
      { id: second.id, isDone: true },
    ],
  })
  expect(suspended.body[3].message).not.toBe('')
  const statuses = new Map(
    (await statusesOf([first.id, second.id, unpaid.id, foreign.id])).map((row) => [
      row.id,
      row.status,
    ]),
  )
  expect([first, second, unpaid, foreign].map(({ id }) => statuses.get(id))).toEqual([
    ...['suspended', 'suspended', 'inactive', 'active'],
  ])

  const deleted = await ada.call('POST', '/mailboxes/batch/delete', {
    ids: [first.id, foreign.id, unpaid.id],
  })
  expect(deleted.body.map(({ isDone }: { isDone: boolean }) => isDone)).toEqual([true, false, true])
  const left = await statusesOf([first.id, second.id, unpaid.id, foreign.id])
  expect(left.map(({ id }) => id).toSorted()).toEqual([second.id, foreign.id].toSorted())
})

test('a role that may not change mailboxes changes none, and a call has its bounds', async () => {
  const domain = await aDomain(app, { workspaceId, active: true })
  const { id } = await aMailbox(app, { domain, status: 'active' })
  const as = (role: 'Admin' | 'User') =>
    app.db.updateTable('members').set({ role }).where('workspaceId', '=', workspaceId).execute()
  await as('User')
  const body = { ids: [id], status: 'suspended' }
  expect((await ada.call('POST', '/mailboxes/batch/status', body)).status).toBe(403)
  expect((await ada.call('POST', '/mailboxes/batch/delete', { ids: [id] })).status).toBe(403)
  await as('Admin')
  expect(await statusesOf([id])).toEqual([{ id, status: 'active' }])
  const many = Array.from({ length: 1001 }, () => newId())
  for (const ids of [[], many, ['x']])
    expect((await ada.call('POST', '/mailboxes/batch/delete', { ids })).status).toBe(422)
  const paid = { ids: [id], status: 'inactive' }
  expect((await ada.call('POST', '/mailboxes/batch/status', paid)).status).toBe(422)
})
