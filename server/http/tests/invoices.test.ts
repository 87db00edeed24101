import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, anInvoice, aWorkspace } from '#test-world/builders.ts'
import { pdfPages } from '#test-world/pdf-text.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let token: string
let workspaceId: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  token = (await aVerifiedAccount(app, anApiClient(server), 'ada@example.org')).token
  ada = anApiClient(server, { authorization: `Bearer ${token}` })
  workspaceId = (await ada.call('GET', '/workspaces')).body[0]._id
})
afterAll(async () => {
  await server.close()
  await app.close()
})

test('an invoice is a document and a file', async () => {
  const domain = await aDomain(app, { workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain, status: 'inactive' })
  const paid = await ada.call('POST', '/payments', { mailboxIds: [mailbox.id] })
  const path = `/invoices/${paid.body._id}`
  expect(await ada.call('GET', path)).toMatchObject({
    status: 200,
    body: { ...paid.body, lines: [{ domain: domain.name, quantity: 1, amountCents: 200 }] },
  })
  const file = await server.inject({
    url: `/api/v1${path}/pdf`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(file.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringContaining(`filename="${paid.body.number}.pdf"`),
    'cache-control': 'private, no-store',
  })
  expect(pdfPages(file.rawPayload)[0]).toContain(`Invoice ${paid.body.number}`)
})

test('foreign, random and malformed ids answer alike', async () => {
  const foreign = await anInvoice(app, { workspaceId: (await aWorkspace(app)).id })
  for (const end of ['', '/pdf'])
    for (const id of [foreign.id, newId(), 'x', '%00', "1'--"])
      expect(await ada.call('GET', `/invoices/${id}${end}`)).toMatchObject({
        status: 404,
        body: { type: 'NOT_EXISTS', message: 'Not found', data: {} },
      })
})

test('invoices are for Admins', async () => {
  const own = await anInvoice(app, { workspaceId })
  const as = (role: 'Admin' | 'Editor') =>
    app.db.updateTable('members').set({ role }).where('workspaceId', '=', workspaceId).execute()
  await as('Editor')
  for (const end of ['', '/pdf'])
    expect((await ada.call('GET', `/invoices/${own.id}${end}`)).status).toBe(403)
  await as('Admin')
  expect((await ada.call('GET', `/invoices/${own.id}`)).status).toBe(200)
})

test('the price is told before sign-in, and none with BILLING=off', async () => {
  const stranger = anApiClient(server)
  expect((await stranger.call('GET', '/installation')).body.price).toEqual({
    ...{ cents: 200, currency: 'usd', taxName: 'VAT', taxRate: 0 },
    ...{ seller: 'Post Office', dueDays: 14 },
  })
  const free = await anApp({ config: { billing: 'off' }, database: app.database })
  const other = await openHttpServer(free)
  expect((await anApiClient(other).call('GET', '/installation')).body.price).toBe(null)
  await other.close()
  await free.close()
})
