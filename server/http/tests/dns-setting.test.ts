import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dnsSetting } from '#contract/dns/setting.ts'
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
let id: string
beforeAll(async () => {
  world = await aDnsServer()
  world.zone('setting.test')
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns })
  server = await openHttpServer(app)
  const member = async (email: string) => {
    const { token } = await aVerifiedAccount(app, anApiClient(server), email)
    return anApiClient(server, { authorization: `Bearer ${token}` })
  }
  ada = await member('ada@example.org')
  bob = await member('bob@example.org')
  id = (await ada.call('POST', '/domains', { name: 'setting.test' })).body._id
})
afterAll(async () => {
  await server.close()
  await app.close()
  await world.close()
})

test('the setting of a domain and what each server said of a record', async () => {
  world.set('setting.test', 'MX', ['10 mx.zoho.eu'])
  const { status, body } = await ada.call('GET', `/domains/${id}/dns`)
  expect(status).toBe(200)
  expect(dnsSetting.parse(body)).toEqual(body)
  expect(body).toMatchObject({ zone: 'setting.test', mail: { service: 'Zoho Mail' } })

  const path = `/dns-records/verify-ownership/${id}`
  const unseen = (await ada.call('GET', `/dns-records/ownership/${id}`)).body
  expect(unseen).toMatchObject({ sightings: null, changedAt: null })
  world.set(unseen.name, 'TXT', [unseen.value])
  const seen = dnsRecord.parse((await ada.call('POST', path)).body)
  expect(seen.changedAt).toBe(app.clock.now().toISOString())
  expect(seen.sightings).toMatchObject({
    zone: 'setting.test',
    published: [{ server: 'ns1.setting.test', state: 'verified', values: [unseen.value] }],
    visible: [{ server: world.address, state: 'verified' }],
  })
})

test('the zone file is saved, never shown', async () => {
  const answer = await ada.call('GET', `/domains/${id}/zone-file`)
  expect(answer.status).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/plain\b/),
    'content-disposition': `attachment; filename="setting.test.zone"; filename*=UTF-8''setting.test.zone`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
  expect(answer.body).toContain('$ORIGIN setting.test.\n')
})

test('who may not see domains sees neither, and foreign ids answer as random ones', async () => {
  const paths = [(of: string) => `/domains/${of}/dns`, (of: string) => `/domains/${of}/zone-file`]
  for (const path of paths) {
    for (const of of [id, newId(), 'nonsense', '%00'])
      expect(await bob.call('GET', path(of))).toMatchObject({
        status: 404,
        body: { type: 'NOT_EXISTS', message: 'Not found', data: {} },
      })
    expect(await anApiClient(server).call('GET', path(id))).toMatchObject({ status: 401 })
    expect((await ada.call('GET', path(id))).status).toBe(200)
  }
})

test('a User has no right to see domains, an Editor has', async () => {
  const role = (to: 'User' | 'Editor' | 'Admin') =>
    app.db.updateTable('members').set({ role: to }).execute()
  for (const path of [`/domains/${id}/dns`, `/domains/${id}/zone-file`]) {
    await role('User')
    expect(await ada.call('GET', path)).toMatchObject({ status: 403, body: { type: 'FORBIDDEN' } })
    await role('Editor')
    expect((await ada.call('GET', path)).status).toBe(200)
  }
  await role('Admin')
})

test('a trial says that it is one, and answers no records', async () => {
  const trial = await openHttpServer({
    ...app,
    config: { ...app.config, allowLoopbackPeers: false },
  })
  const { token } = await aVerifiedAccount(app, anApiClient(trial), 'tess@example.org')
  const at = anApiClient(trial, { authorization: `Bearer ${token}` })
  const { _id } = (await at.call('POST', '/domains', { name: 'firm.com' })).body
  const settings = ['PUBLIC_URL', 'MAIL_HOST', 'MAIL_IPS']
  expect((await at.call('GET', '/installation')).body).toMatchObject({
    ...{ trial: settings, hidesRecords: true, keepsSystemMail: true },
  })
  expect((await ada.call('GET', '/installation')).body).toMatchObject({ trial: [] })
  for (const path of [`/dns-records/dns/${_id}`, `/domains/${_id}/zone-file`])
    expect(await at.call('GET', path)).toMatchObject({
      status: 409,
      body: {
        type: 'TRIAL',
        message: expect.stringContaining('PUBLIC_URL, MAIL_HOST and MAIL_IPS'),
      },
    })
  expect((await at.call('GET', `/dns-records/ownership/${_id}`)).status).toBe(200)
  await trial.close()
})
