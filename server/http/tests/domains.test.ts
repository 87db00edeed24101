import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dnsRecord } from '#contract/domains.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let world: TestDns
let server: FastifyInstance
let ada: ApiClient
let bob: ApiClient
beforeAll(async () => {
  world = await aDnsServer()
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns })
  server = await openHttpServer(app)
  const member = async (email: string) => {
    const { token } = await aVerifiedAccount(app, anApiClient(server), email)
    return anApiClient(server, { authorization: `Bearer ${token}` })
  }
  ada = await member('ada@example.org')
  bob = await member('bob@example.org')
})
afterAll(async () => {
  await server.close()
  await app.close()
  await world.close()
})

test('the wizard, call by call', async () => {
  world.zone('wizard.test')
  const made = await ada.call('POST', '/domains', { name: ' Wizard.Test. ' })
  expect(made).toMatchObject({ status: 201, body: { name: 'wizard.test', isVerified: false } })
  const id = made.body._id
  expect(await ada.call('POST', '/domains', { name: 'wizard.test' })).toMatchObject({
    status: 409,
    body: { type: 'DOMAIN_EXISTS' },
  })
  expect(await ada.call('POST', `/dns-records/verify-dns/${id}`)).toMatchObject({
    status: 409,
    body: { type: 'DOMAIN_NOT_VERIFIED', message: 'Please verify ownership first' },
  })

  const ownership = (await ada.call('GET', `/dns-records/ownership/${id}`)).body
  expect(Object.keys(ownership).toSorted()).toEqual(Object.keys(dnsRecord.shape).toSorted())
  world.set(ownership.name, 'TXT', [ownership.value])
  expect(await ada.call('POST', `/dns-records/verify-ownership/${id}`)).toMatchObject({
    status: 200,
    body: { name: ownership.name, value: ownership.value, ttl: 3600, isVerified: true },
  })

  const records = (await ada.call('GET', `/dns-records/dns/${id}`)).body
  for (const { name, type, value, priority } of records)
    world.set(name, type, [type === 'MX' ? `${priority} ${value}` : value])
  const verified = await ada.call('POST', `/dns-records/verify-dns/${id}`)
  expect(verified.body.map((record: { isVerified: boolean }) => record.isVerified)).toEqual([
    true,
    true,
    true,
    true,
  ])
  const listed = { _id: id, isVerified: true, status: 'active', dnsStatus: 'Verified' }
  expect((await ada.call('GET', '/domains')).body).toMatchObject([listed])
  expect((await ada.call('GET', `/domains/${id}`)).body).toMatchObject(listed)
  expect((await bob.call('GET', '/domains')).body).toEqual([])

  const claim = await bob.call('POST', '/domains', { name: 'wizard.test' })
  const bobs = (await bob.call('GET', `/dns-records/ownership/${claim.body._id}`)).body
  world.set(bobs.name, 'TXT', [ownership.value, bobs.value])
  expect(await bob.call('POST', `/dns-records/verify-ownership/${claim.body._id}`)).toMatchObject({
    status: 200,
    body: { isVerified: false, state: 'waiting' },
  })
  expect((await ada.call('DELETE', `/domains/${id}`)).status).toBe(200)
  expect((await ada.call('GET', `/domains/${id}`)).status).toBe(404)
})

test.each([
  [{ name: 'ab' }, 'Domain must be at least 3 characters'],
  [{ name: `${'a'.repeat(47)}.com` }, 'Domain too long'],
  [{ name: 'nodots' }, 'Invalid domain format (example: example.com)'],
  [{ name: 'co.uk' }, 'co.uk is a public suffix; please enter a name below it'],
  [{ name: '192.168.10.10' }, 'Please enter a domain name, not an IP address'],
])('%j is refused at its field', async (body, message) => {
  expect(await ada.call('POST', '/domains', body)).toMatchObject({
    status: 422,
    body: { data: { name: message } },
  })
})

test('foreign, random and malformed ids answer alike at every call', async () => {
  const { _id: foreign } = (await bob.call('POST', '/domains', { name: 'bobs.test' })).body
  const calls = [
    ['GET', '/domains/'],
    ['DELETE', '/domains/'],
    ['GET', '/dns-records/ownership/'],
    ['GET', '/dns-records/dns/'],
    ['GET', '/dns-records/history/'],
    ['POST', '/dns-records/verify-ownership/'],
    ['POST', '/dns-records/verify-dns/'],
  ] as const
  for (const [method, path] of calls)
    for (const id of [foreign, newId(), 'nonsense', '%00']) {
      const { status, body } = await ada.call(method, path + id)
      expect([status, body.type, body.message, body.data], `${method} ${path}${id}`).toEqual([
        404,
        'NOT_EXISTS',
        'Not found',
        {},
      ])
    }
  expect((await bob.call('GET', `/domains/${foreign}`)).status).toBe(200)
})
