import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aUser, aWorkspace } from '#test-world/builders.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let mary: ApiClient
let maryId: string
let first: string
beforeAll(async () => {
  app = await anApp()
  server = await openHttpServer(app)
  const admin = await aUser(app)
  const editor = await aUser(app, { firstName: 'Mary' })
  maryId = editor.id
  const members = [
    { user: admin, role: 'Admin' as const },
    { user: editor, role: 'Editor' as const },
  ]
  first = (await aWorkspace(app, { members })).id
  ada = anApiClient(server, (await aSession(app, admin)).headers)
  mary = anApiClient(server, (await aSession(app, editor)).headers)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const company = {
  name: 'Analytical Engines',
  website: 'https://engines.example',
  phone: '+44 20 7946 0018',
  address: '12 St James’s Square',
  zipCode: 'SW1Y 4JH',
  country: 'uk',
  city: 'London',
  timeZone: 'gmt',
  timeFormat: '24h',
}

test('the company profile is empty at first, and belongs to its workspace', async () => {
  const empty = Object.fromEntries([...Object.keys(company), 'vatId'].map((field) => [field, '']))
  expect((await ada.call('GET', '/company')).body).toEqual(empty)
  expect(await ada.call('PUT', '/company', company)).toMatchObject({ status: 200, body: company })
  const { website: _, ...without } = company
  const again = { ...without, country: 'DE', timeZone: 'Europe/Berlin' }
  const saved = { ...again, website: '', vatId: '' }
  expect((await ada.call('PUT', '/company', again)).body).toEqual(saved)
  expect((await ada.call('GET', '/company')).body).toEqual(saved)

  app.clock.advance({ seconds: 1 })
  const { _id: second } = (await ada.call('POST', '/workspaces', { name: ' Second ' })).body
  expect((await ada.call('GET', '/company')).body).toEqual(empty)
  const there = { 'x-workspace-id': first }
  expect((await ada.call('GET', '/company', undefined, there)).body.country).toBe('DE')
  expect((await ada.call('GET', '/workspaces')).body).toMatchObject([
    { _id: first, isCurrent: false },
    { _id: second, name: 'Second', isCurrent: true },
  ])
  expect((await ada.call('POST', `/workspaces/${first}/switch`)).body.isCurrent).toBe(true)
  expect((await ada.call('GET', '/company')).body.country).toBe('DE')
})

test.each([
  ['name', '', 'Username is required'],
  ['website', 'engines', 'Enter a valid URL'],
  ['website', 'https://', 'Enter a valid URL'],
  ['website', 'javascript:alert(1)//engines.example', 'Enter a valid URL'],
  ['phone', '12345', 'Phone number must be at least 6 digits'],
  ['phone', '+1 (2) 34-5', 'Phone number must be at least 6 digits'],
  ['phone', 'call us!', 'Phone number must be at least 6 digits'],
  ['address', ' ', 'Address is required'],
  ['zipCode', '', 'Zip code is required'],
  ['country', '', 'Country is required'],
  ['country', 'Atlantis', 'Country is required'],
  ['city', '', 'City is required'],
  ['timeZone', '', 'Time zone is required'],
  ['timeZone', 'Mars/Olympus', 'Time zone is required'],
  ['timeZone', '+01:00', 'Time zone is required'],
  ['timeFormat', '', 'Time format is required'],
])('a company with the %s %j is refused', async (field, value, message) => {
  const answer = await ada.call('PUT', '/company', { ...company, [field]: value })
  expect(answer).toMatchObject({ status: 422, body: { data: { [field]: message } } })
  expect(Object.keys(answer.body.data)).toEqual([field])
})

test.each([
  ['phone', '123456'],
  ['phone', '٠٢٠ ٧٩٤٦ ٠٠١٨'],
  ['website', ''],
  ['website', 'http://münchen.example/a?b#c'],
  ['country', 'usa'],
  ['country', 'TW'],
  ['timeZone', 'pst'],
  ['timeZone', 'America/Argentina/Buenos_Aires'],
  ['name', 'א ב'],
])('a company with the %s %j is taken', async (field, value) => {
  const answer = await ada.call('PUT', '/company', { ...company, [field]: value })
  expect(answer).toMatchObject({ status: 200, body: { [field]: value } })
})

test('an Editor sees neither company nor members, and moves no domain', async () => {
  const domain = await aDomain(app, { workspaceId: first })
  for (const [method, path, body] of [
    ['GET', '/company'],
    ['PUT', '/company', company],
    ['GET', '/members'],
    ['PATCH', `/members/${maryId}`, { role: 'Admin' }],
    ['DELETE', `/members/${maryId}`],
    ['PATCH', `/workspaces/${first}`, { name: 'Mine' }],
    ['GET', `/domains/${domain.id}/move`],
    ['POST', `/domains/${domain.id}/move`, { workspaceId: first }],
  ] as const)
    expect([method, path, (await mary.call(method, path, body)).status]).toEqual([
      method,
      path,
      403,
    ])
})

test('a domain moves between two workspaces of one Admin', async () => {
  const domain = await aDomain(app, { workspaceId: first, name: 'goes.example', active: true })
  const { _id: target } = (await ada.call('POST', '/workspaces', { name: 'Target' })).body
  await ada.call('POST', `/workspaces/${first}/switch`)
  const path = `/domains/${domain.id}/move`
  expect((await ada.call('GET', path)).body.workspaces).toContainEqual({
    _id: target,
    name: 'Target',
  })
  expect(await ada.call('POST', path, { workspaceId: target })).toMatchObject({
    status: 200,
    body: { _id: domain.id, name: 'goes.example', status: 'active' },
  })
  expect((await ada.call('GET', `/domains/${domain.id}`)).status).toBe(404)
  const there = { 'x-workspace-id': target }
  expect((await ada.call('GET', `/domains/${domain.id}`, undefined, there)).status).toBe(200)
})

test('roles change and members leave; the last Admin stays', async () => {
  const path = `/members/${maryId}`
  expect((await ada.call('PATCH', path, { role: 'Owner' })).status).toBe(422)
  expect((await ada.call('PATCH', path, { role: 'User' })).body).toMatchObject({ role: 'User' })
  const { body } = await ada.call('GET', '/members')
  expect(body).toMatchObject([
    { isYou: true, role: 'Admin' },
    { _id: maryId, role: 'User' },
  ])
  expect(await ada.call('PATCH', `/members/${body[0]._id}`, { role: 'User' })).toMatchObject({
    status: 409,
    body: { type: 'LAST_ADMIN', message: 'A workspace keeps at least one Admin' },
  })
  expect((await ada.call('DELETE', path)).status).toBe(200)
  expect((await mary.call('GET', '/stats', undefined, { 'x-workspace-id': first })).status).toBe(
    404,
  )
})
