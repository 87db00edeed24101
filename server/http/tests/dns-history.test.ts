import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRecordChanges } from '#contract/dns/setting.ts'
import { recheckDueDomains } from '#server/features/checks/recheck-due-domains.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let world: TestDns
let server: FastifyInstance
beforeAll(async () => {
  world = await aDnsServer()
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns })
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
  await world.close()
})

test('who has the page open learns of a new record by itself, and when it changed', async () => {
  world.zone('history.test')
  const user = await aUser(app)
  await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const signedIn = async () => anApiClient(server, (await aSession(app, user)).headers)
  let ada = await signedIn()
  const id = (await ada.call('POST', '/domains', { name: 'history.test' })).body._id
  const path = `/dns-records/history/${id}`
  app.clock.advance({ hours: 50 })
  await recheckDueDomains(app)
  app.clock.advance({ minutes: 1 })
  ada = await signedIn()
  const { body: ownership } = await ada.call('GET', `/dns-records/ownership/${id}`)
  expect(ownership.nextCheckAt).toBe(app.clock.now().toISOString())
  expect((await ada.call('GET', path)).body).toEqual({ items: [], nextCursor: null })

  world.set(ownership.name, 'TXT', [ownership.value])
  const { promise: told, resolve } = Promise.withResolvers<string | null>()
  const stop = await app.listener.subscribe(CHANGED_CHANNEL, resolve)
  await recheckDueDomains(app)
  expect(JSON.parse((await told) ?? '')).toMatchObject({ topic: 'domains' })
  stop()

  const { status, body } = await ada.call('GET', `${path}?purpose=ownership&limit=1`)
  expect(status).toBe(200)
  expect(listRecordChanges.output.parse(body)).toEqual(body)
  const at = app.clock.now().toISOString()
  expect(body.items).toMatchObject([
    {
      ...{ purpose: 'ownership', at, from: { state: 'waiting', values: [] } },
      to: { state: 'verified', values: [ownership.value] },
    },
  ])
  expect((await ada.call('GET', `/dns-records/ownership/${id}`)).body.changedAt).toBe(at)
  for (const query of ['purpose=nonsense', 'limit=0', 'cursor=nonsense', 'other=1'])
    expect((await ada.call('GET', `${path}?${query}`)).status, query).toBe(422)

  const setRole = (role: 'User' | 'Editor') => app.db.updateTable('members').set({ role }).execute()
  await setRole('User')
  expect(await ada.call('GET', path)).toMatchObject({ status: 403, body: { type: 'FORBIDDEN' } })
  await setRole('Editor')
  expect((await ada.call('GET', path)).status).toBe(200)
})
