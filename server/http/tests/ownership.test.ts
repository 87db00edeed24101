import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domainOwnership } from '#contract/dns/claims.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, aVerifiedAccount } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { type ZonesDns, zonesDns } from '#test-world/dns/zones-dns.ts'
import { openHttpServer } from '../http-server.ts'

let dns: ZonesDns
let app: TestApp
let server: FastifyInstance
let ada: ApiClient
let bob: ApiClient
beforeAll(async () => {
  dns = zonesDns()
  app = await anApp({ dns })
  server = await openHttpServer(app)
  for (const email of ['ada@example.org', 'bob@example.org'])
    await aVerifiedAccount(app, anApiClient(server), email)
  await logIn()
})
afterAll(async () => {
  await server.close()
  await app.close()
})

/** Again after every jump in time: tokens are short-lived. */
const logIn = async () => {
  const as = async (email: string) => {
    const password = 'Engine-No-1!'
    const { body } = await anApiClient(server).call('POST', '/auth/login', { email, password })
    return anApiClient(server, { authorization: `Bearer ${body.token}` })
  }
  ada = await as('ada@example.org')
  bob = await as('bob@example.org')
}

const recordOf = async (client: ApiClient, id: string) =>
  (await client.call('GET', `/dns-records/ownership/${id}`)).body

const publish = (...records: { name: string; value: string }[]) => {
  const [first] = records
  const values = records.map(({ value }) => value)
  if (first) dns.zones.set(first.name, 'TXT', values)
}

/** Ada holds the name, and Bob asks for it. */
const contested = async (name: string) => {
  const held = (await ada.call('POST', '/domains', { name })).body._id
  const adas = await recordOf(ada, held)
  publish(adas)
  await ada.call('POST', `/dns-records/verify-ownership/${held}`)
  const asked = (await bob.call('POST', '/domains', { name })).body._id
  const bobs = await recordOf(bob, asked)
  return { held, adas, asked, bobs }
}

test('a claim by its calls: each side reads its own, and nothing of the other', async () => {
  const { held, adas, asked, bobs } = await contested('claimed.test')
  publish(adas, bobs)
  expect(await bob.call('POST', `/dns-records/verify-ownership/${asked}`)).toMatchObject({
    status: 200,
    body: { isVerified: false, state: 'waiting' },
  })
  const mine = await bob.call('GET', `/domain-ownership/${asked}`)
  expect(mine.body).toEqual({
    domainId: asked,
    name: 'claimed.test',
    unicodeName: 'claimed.test',
    mailboxes: 0,
    record: { name: bobs.name, value: bobs.value },
    missing: null,
    claims: [],
    ownClaim: {
      _id: expect.any(String),
      startedAt: app.clock.now().toISOString(),
      decidesAt: expect.any(String),
      isHolderProven: true,
      outcome: null,
      endedAt: null,
      otherRecord: adas.value,
    },
  })
  const theirs = await ada.call('GET', `/domain-ownership/${held}`)
  expect(domainOwnership.parse(theirs.body).claims).toMatchObject([{ isHolderProven: true }])
  expect(JSON.stringify(theirs.body)).not.toContain(bobs.value)
  for (const client of [ada, bob])
    expect((await client.call('GET', '/domain-ownership')).body.domains).toHaveLength(1)

  app.clock.advance({ days: 7 })
  await logIn()
  expect(await bob.call('POST', `/dns-records/verify-ownership/${asked}`)).toMatchObject({
    status: 409,
    body: {
      type: 'DOMAIN_HELD',
      message:
        'Another workspace holds this domain, and its ownership record is in DNS beside yours. Remove the other record, then verify again',
    },
  })
  expect((await bob.call('GET', `/domain-ownership/${asked}`)).body).toMatchObject({
    ownClaim: { outcome: 'both-proven', otherRecord: adas.value },
  })
})

test('a claim is withdrawn by its own workspace only, and once', async () => {
  const { held, asked, bobs } = await contested('withdrawn.test')
  publish(bobs)
  await bob.call('POST', `/dns-records/verify-ownership/${asked}`)
  for (const id of [asked, newId(), 'nonsense'])
    expect(await ada.call('POST', `/domain-ownership/${id}/withdraw`)).toMatchObject({
      status: 404,
      body: { type: 'NOT_EXISTS', message: 'Not found', data: {} },
    })
  expect(await ada.call('POST', `/domain-ownership/${held}/withdraw`)).toMatchObject({
    status: 409,
    body: { type: 'NO_OPEN_CLAIM', message: 'There is no open claim on this domain' },
  })
  const withdraw = () => bob.call('POST', `/domain-ownership/${asked}/withdraw`)
  expect(await withdraw()).toMatchObject({ body: { ownClaim: { outcome: 'withdrawn' } } })
  expect(await withdraw()).toMatchObject({ status: 409, body: { type: 'NO_OPEN_CLAIM' } })
})

test('foreign, random and malformed ids answer alike, and Users see nothing of it', async () => {
  const foreign = (await bob.call('POST', '/domains', { name: 'foreign.test' })).body._id
  const answers = []
  for (const id of [foreign, newId(), 'nonsense', '%00']) {
    const { status, body } = await ada.call('GET', `/domain-ownership/${id}`)
    answers.push([status, body.type, body.message, body.data])
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify([404, 'NOT_EXISTS', 'Not found', {}])]),
  )
  await app.db.updateTable('members').set({ role: 'User' }).execute()
  for (const [method, path] of [
    ['GET', '/domain-ownership'],
    ['GET', `/domain-ownership/${foreign}`],
    ['POST', `/domain-ownership/${foreign}/withdraw`],
  ] as const)
    expect(await bob.call(method, path)).toMatchObject({ status: 403, body: { type: 'FORBIDDEN' } })
  await app.db.updateTable('members').set({ role: 'Editor' }).execute()
  expect((await bob.call('GET', '/domain-ownership')).status).toBe(200)
  await app.db.updateTable('members').set({ role: 'Admin' }).execute()
})

test('nothing is sent from a domain whose sending has stopped', async () => {
  const { workspaceId, userId } = await app.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select(['workspaceId', 'userId'])
    .where('email', '=', 'ada@example.org')
    .executeTakeFirstOrThrow()
  const domain = await aDomain(app, {
    ...{ workspaceId, active: true },
    sendingStoppedAt: app.clock.now(),
  })
  const mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, userId)
  const message = { to: ['eve@elsewhere.test'], subject: 'Hello', text: 'Hello' }
  expect(await ada.call('POST', `/mailboxes/${mailbox.id}/messages`, message)).toMatchObject({
    status: 409,
    body: { type: 'SENDING_STOPPED', message: expect.stringContaining('has stopped') },
  })
})
