import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { openHttpServer } from '../http-server.ts'
import { goodBodies } from './good-bodies.ts'

let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let userId: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const { token, user } = await aVerifiedAccount(app, anApiClient(server), 'ada@example.org')
  userId = user._id
  ada = anApiClient(server, { authorization: `Bearer ${token}` })
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const nothing = { timeZone: '', timeFormat: '', dateFormat: '', wantsDnsMails: true }
const usual = { undoSeconds: null, writesPlainText: false, usualUndoSeconds: 10 }
const own = { timeZone: 'Europe/Vienna', timeFormat: '12h', dateFormat: 'day-first' } as const

test('nothing is chosen at first; the company stands behind, and each person chooses for themselves', async () => {
  expect((await ada.call('GET', '/preferences')).body).toEqual({
    ...nothing,
    ...usual,
    company: { timeZone: '', timeFormat: '' },
  })
  await ada.call('PUT', '/company', goodBodies['PUT /company'])
  const company = { timeZone: 'Europe/London', timeFormat: '24h' }
  expect((await ada.call('GET', '/preferences')).body).toEqual({ ...nothing, ...usual, company })

  const saved = { ...own, wantsDnsMails: false }
  expect(await ada.call('PUT', '/preferences', saved)).toMatchObject({
    status: 200,
    body: { ...saved, company },
  })
  const { token } = await aVerifiedAccount(app, anApiClient(server), 'eve@example.org')
  const eve = anApiClient(server, { authorization: `Bearer ${token}` })
  expect((await eve.call('GET', '/preferences')).body).toMatchObject(nothing)
})

test.each([
  ['timeZone', 'Mars/Olympus'],
  ['timeZone', '+01:00'],
  ['timeFormat', '13h'],
  ['dateFormat', 'DD.MM.YYYY'],
  ['wantsDnsMails', 'yes'],
])('%s %s is refused at its field', async (field, value) => {
  const before = (await ada.call('GET', '/preferences')).body
  const answer = await ada.call('PUT', '/preferences', { ...nothing, [field]: value })
  expect(answer).toMatchObject({ status: 422, body: { data: { [field]: expect.any(String) } } })
  expect((await ada.call('GET', '/preferences')).body).toEqual(before)
})

test('how a person writes is saved beside it: neither form changes what the other one saves', async () => {
  const chosen = { ...own, wantsDnsMails: false }
  const writing = { undoSeconds: 20, writesPlainText: true }
  await ada.call('PUT', '/preferences', chosen)
  expect(await ada.call('PUT', '/preferences/writing', writing)).toMatchObject({
    status: 200,
    body: { ...chosen, ...writing },
  })
  await ada.call('PUT', '/preferences', nothing)
  expect((await ada.call('GET', '/preferences')).body).toMatchObject({ ...nothing, ...writing })
  for (const undoSeconds of [7, -5, 3600, '10'])
    expect(
      await ada.call('PUT', '/preferences/writing', { ...writing, undoSeconds }),
    ).toMatchObject({
      status: 422,
      body: { data: { undoSeconds: 'Please choose one of the list' } },
    })
  expect((await ada.call('GET', '/preferences')).body).toMatchObject(writing)
})

test('the days of a vacation reply begin in the zone of the person', async () => {
  const [{ _id: workspaceId }] = (await ada.call('GET', '/workspaces')).body
  const mailbox = await aMailbox(app, { domain: await aDomain(app, { workspaceId, active: true }) })
  await letRead(app, mailbox, userId)
  const zone = async () =>
    (await ada.call('GET', `/mailboxes/${mailbox.id}/vacation`)).body.timeZone
  await ada.call('PUT', '/preferences', { ...nothing, timeZone: 'Asia/Tokyo' })
  expect(await zone()).toBe('Asia/Tokyo')
  await ada.call('PUT', '/preferences', nothing)
  expect(await zone()).toBe('Europe/London')
})
