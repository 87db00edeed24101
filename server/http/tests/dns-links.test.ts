/** DNS links: what they open, and for how long. */
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openedDnsLink } from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import type { Role } from '#contract/rights.ts'
import { purgeLinks } from '#server/features/checks/links.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient, mailsTo } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, aWorkspace, type User, type Workspace } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let world: TestDns
let server: FastifyInstance
let admin: User
let workspace: Workspace
let ada: ApiClient
let name: string
let domainId: string
beforeAll(async () => {
  world = await aDnsServer()
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns, config: { trustedProxies: ['127.0.0.1'] } })
  server = await openHttpServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
  await world.close()
})
beforeEach(async () => {
  app.clock.advance({ minutes: 2 })
  admin = await aUser(app, { firstName: 'Augusta', lastName: 'Byron' })
  workspace = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  ada = await signedInAs(admin)
  name = `d${newId().slice(-12)}.test`
  world.zone(name)
  domainId = (await ada.call('POST', '/domains', { name })).body._id
})

const signedInAs = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)
const colleague = async (role: Role): Promise<ApiClient> => {
  const user = await aUser(app)
  const createdAt = app.clock.now()
  await app.db
    .insertInto('members')
    .values({ workspaceId: workspace.id, userId: user.id, role, createdAt })
    .execute()
  await app.db
    .updateTable('users')
    .set({ currentWorkspaceId: workspace.id })
    .where('id', '=', user.id)
    .execute()
  return signedInAs(user)
}

const make = (days: unknown = 7, client = ada) =>
  client.call('POST', `/domains/${domainId}/dns-links`, { days })
const aLink = async (days?: number) => {
  const { status, body } = await make(days)
  expect(status).toBe(201)
  return { ...body, token: new URL(body.url).hash.slice(1) } as {
    _id: string
    token: string
    expiresAt: string
  }
}
const list = async () => (await ada.call('GET', `/domains/${domainId}/dns-links`)).body
const holder = () => anApiClient(server)
const use = (call: 'open' | 'check' | 'zone-file', token: unknown, client = holder()) =>
  client.call('POST', `/dns-links/${call}`, { token })
/** So often tried before. */
const spent = async (key: string, count: number) => {
  const windowEndsAt = new Date(app.clock.now().getTime() + 30_000)
  await app.db
    .insertInto('throttles')
    .values({ key, count, windowEndsAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count, windowEndsAt }))
    .execute()
}
const publish = (records: DnsRecord[]) => {
  for (const { name: host, type, value, priority } of records)
    world.set(host, type, [type === 'MX' ? `${priority} ${value}` : value])
}

test('whoever has the link sees the records of that domain without an account, and nothing else', async () => {
  const mailbox = await aMailbox(app, {
    domain: await app.db
      .selectFrom('domains')
      .selectAll()
      .where('id', '=', domainId)
      .executeTakeFirstOrThrow(),
  })
  await ada.call('POST', '/domains', { name: `other-${name}` })
  world.set(name, 'MX', ['10 mx.elsewhere.test'])
  const { status, body: made } = await make()
  expect(status).toBe(201)
  const now = app.clock.now()
  expect(made).toEqual({
    _id: expect.any(String),
    url: expect.stringMatching(/^http:\/\/localhost:8080\/dns#[\w-]{43}$/),
    domains: [name],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 7 * 24 * 3600_000).toISOString(),
    ...{ createdBy: 'Augusta Byron', openedAt: null, sentTo: null },
  })
  const token = new URL(made.url).hash.slice(1)
  const opened = await use('open', token)
  expect(opened.status).toBe(200)
  expect(Object.keys(opened.body).sort()).toEqual(Object.keys(openedDnsLink.shape).sort())
  expect(opened.body).toMatchObject({
    workspaceName: 'Analytical Engines',
    domain: { name, unicodeName: name },
    expiresAt: made.expiresAt,
    ownership: (await ada.call('GET', `/dns-records/ownership/${domainId}`)).body,
    records: (await ada.call('GET', `/dns-records/dns/${domainId}`)).body,
    setting: {
      mail: { hosts: [{ host: 'mx.elsewhere.test', priority: 10 }], isOurs: false },
      receiving: { changes: [] },
    },
  })
  for (const secret of ['Augusta', 'Byron', admin.email, mailbox.email, mailbox.id, domainId])
    expect(JSON.stringify(opened.body)).not.toContain(secret)
  for (const secret of ['other-', workspace.id, admin.id, made._id])
    expect(JSON.stringify(opened.body)).not.toContain(secret)
  expect(opened.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    'x-robots-tag': 'noindex, nofollow',
  })
  // It is no key to anything else, in whatever place it is tried.
  const bearer = anApiClient(server, { authorization: `Bearer ${token}` })
  for (const path of [`/domains/${domainId}`, '/domains', `/dns-records/dns/${domainId}`])
    expect((await bearer.call('GET', path)).status).toBe(401)
  const rows = await app.db.selectFrom('dnsLinks').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows.map(({ tokenHash }) => tokenHash.length)).toContain(32)
})

test('wrong, expired and revoked tokens answer as any foreign id does', async () => {
  const [revoked, expired] = [await aLink(), await aLink(1)]
  expect((await use('open', revoked.token)).status).toBe(200)
  expect((await ada.call('DELETE', `/dns-links/${revoked._id}`)).status).toBe(200)
  expect(await list()).toMatchObject([{ _id: expired._id }])
  app.clock.advance({ days: 1, seconds: -1 })
  expect((await use('open', expired.token)).status).toBe(200)
  app.clock.advance({ seconds: 1 })
  const { token } = await signedInAs(admin).then(async (client) => {
    ada = client
    return aLink()
  })
  const altered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  const wrong = ['x', '0'.repeat(43), token.toLowerCase(), ` ${token}`, `${token}=`, altered]
  for (const call of ['open', 'check', 'zone-file'] as const)
    for (const bad of [revoked.token, expired.token, ...wrong, "' or 1=1 --", revoked._id])
      expect(await use(call, bad)).toMatchObject({
        status: 404,
        body: {
          ...{ type: 'NOT_EXISTS', message: 'Not found', statusCode: 404, data: {} },
          path: `/api/v1/dns-links/${call}`,
        },
      })
  for (const id of [revoked._id, expired._id]) {
    expect((await ada.call('DELETE', `/dns-links/${id}`)).status).toBe(404)
    const mail = { email: 'grace@example.org' }
    expect((await ada.call('POST', `/dns-links/${id}/mail`, mail)).status).toBe(404)
  }
  expect(await list()).toHaveLength(1)
  await purgeLinks(app)
  const kept = await app.db.selectFrom('dnsLinks').select('id').execute()
  expect(kept.map(({ id }) => id)).not.toContain(expired._id)
  expect((await use('open', token)).status).toBe(200)
})

test('a link works for 1, 7 or 30 days, and no other time', async () => {
  for (const days of [1, 7, 30]) {
    const { expiresAt } = await aLink(days)
    expect(new Date(expiresAt).getTime() - app.clock.now().getTime()).toBe(days * 24 * 3600_000)
  }
  for (const days of [0, 2, 31, -1, 365, 7.5, '7', null])
    expect(await make(days)).toMatchObject({
      status: 422,
      body: { data: { days: 'Invalid input' } },
    })
})

test('what is published shows on the page after a look, also before ownership is proven; mistakes are named', async () => {
  const { token } = await aLink()
  const { ownership, records } = (await use('open', token)).body
  const dmarc = records.find(({ purpose }: DnsRecord) => purpose === 'dmarc')
  world.set(dmarc.name, 'TXT', ['v=DMARC1; p=nonsense'])
  const first = (await use('check', token)).body
  expect(first.ownership).toMatchObject({ isVerified: false, state: 'waiting' })
  expect(first.records.find(({ purpose }: DnsRecord) => purpose === 'dmarc')).toMatchObject({
    ...{ isVerified: null, found: ['v=DMARC1; p=nonsense'] },
    explanation: expect.stringMatching(/./),
    fix: expect.stringMatching(/./),
  })
  // What was told once is told again, whoever looks next.
  app.clock.advance({ seconds: 15 })
  await ada.call('POST', `/dns-records/verify-ownership/${domainId}`)
  const { explanation } = first.records.find(({ purpose }: DnsRecord) => purpose === 'dmarc')
  expect(JSON.stringify((await use('open', token)).body.records)).toContain(explanation)
  publish([ownership, ...records])
  app.clock.advance({ seconds: 15 })
  const { status, body } = await use('check', token)
  expect(status).toBe(200)
  const all: DnsRecord[] = [body.ownership, ...body.records]
  expect(all.map(({ isVerified }) => isVerified)).toEqual(all.map(() => true))
  expect((await use('open', token)).body).toEqual(body)
  expect((await ada.call('GET', `/domains/${domainId}`)).body).toMatchObject({ status: 'active' })
})

test('the zone file is a download with the records of that domain', async () => {
  const { token } = await aLink()
  const file = await holder().call('POST', '/dns-links/zone-file', { token })
  expect(file).toMatchObject({
    status: 200,
    body: (await ada.call('GET', `/domains/${domainId}/zone-file`)).body,
    headers: {
      'content-type': expect.stringMatching(/^text\/plain/),
      'content-disposition': expect.stringMatching(/^attachment/),
    },
  })
  expect(file.body).toContain('mailstead-verify=')
  expect(file.body).not.toContain('Analytical')
})

test('once a link shows them, records are judged by every look, also before ownership is proven', async () => {
  const dmarc = async () => {
    await ada.call('POST', `/dns-records/verify-ownership/${domainId}`)
    const records: DnsRecord[] = (await ada.call('GET', `/dns-records/dns/${domainId}`)).body
    return records.find(({ purpose }) => purpose === 'dmarc')
  }
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=nonsense'])
  expect(await dmarc()).toMatchObject({ isVerified: false, explanation: '', checkedAt: null })
  app.clock.advance({ seconds: 1 })
  await aLink()
  expect(await dmarc()).toMatchObject({
    ...{ isVerified: null, explanation: expect.stringMatching(/./) },
  })
})

test('while a link is open, DNS is asked every 15 seconds', async () => {
  const { token } = await aLink()
  const checkedAt = app.clock.now().getTime()
  await use('check', token)
  const inAnHour = new Date(checkedAt + 3600_000)
  await app.db.updateTable('domainRecords').set({ nextCheckAt: inAnHour }).execute()
  app.clock.advance({ seconds: 11 })
  const { ownership } = (await use('open', token)).body
  expect(ownership.nextCheckAt).toBe(new Date(checkedAt + 15_000).toISOString())
})

test('holders of all links of a domain together look four times a minute; members still verify', async () => {
  const [one, two] = [await aLink(), await aLink()]
  const statuses = []
  for (const { token } of [one, two, one, two, one, two])
    statuses.push((await use('check', token)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  const late = await use('check', one.token)
  expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
  expect(late.body.message).toBe('Too many requests')
  expect((await use('open', one.token)).status).toBe(200)
  const verify = `/dns-records/verify-ownership/${domainId}`
  expect((await ada.call('POST', verify)).status).toBe(200)
  app.clock.advance({ minutes: 1 })
  expect((await use('check', one.token)).status).toBe(200)
})

test('one network opens links 300 times a minute, whatever it holds', async () => {
  const { token } = await aLink()
  const from = (ip: string) => anApiClient(server, { 'x-forwarded-for': ip })
  const guesser = from('198.51.100.7')
  await spent('use-dns-link:198.51.100.7', 299)
  expect((await use('open', 'x', guesser)).status).toBe(404)
  expect((await use('open', 'x', guesser)).status).toBe(429)
  expect((await use('open', token, guesser)).status).toBe(429)
  expect((await use('open', token, from('198.51.100.8'))).status).toBe(200)
})

test('it is known when a link was last open, to the minute', async () => {
  const { token } = await aLink()
  const openedAt = async () => (await list())[0].openedAt
  const first = app.clock.now().toISOString()
  await use('open', token)
  app.clock.advance({ seconds: 59 })
  await use('open', token)
  expect(await openedAt()).toBe(first)
  app.clock.advance({ seconds: 1 })
  await use('open', token)
  expect(await openedAt()).toBe(app.clock.now().toISOString())
})

test('a link is mailed with the address of who asks, alone on its line; not often', async () => {
  const { _id: id, token } = await aLink()
  const mail = (email: string, client = ada) =>
    client.call('POST', `/dns-links/${id}/mail`, { email })
  const email = `grace-${newId().slice(-12)}@example.org`
  expect(await mail(` ${email.toUpperCase()} `)).toMatchObject({
    status: 200,
    body: { _id: id, sentTo: email },
  })
  const held = (await listHeldMails(app)).find(({ to }) => to === email)
  expect(held?.subject).toBe(`DNS records to publish for ${name}`)
  expect(held?.text.split('\n')).toContain(`http://localhost:8080/dns#${token}`)
  expect(held?.text).toContain(`${admin.email} asks you to publish the DNS records`)
  expect(held?.text).not.toContain('Augusta')
  expect(await list()).toMatchObject([{ sentTo: email }])
  for (const wrong of ['', 'grace@', 'a@b.example\r\nBcc: c@d.example', `${email},${email}`])
    expect(await mail(wrong)).toMatchObject({ status: 422, body: { data: { email: /./ } } })

  expect(await mail(email)).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
  for (let n = 1; n < 5; n++) {
    app.clock.advance({ seconds: 30 })
    expect((await mail(email)).status).toBe(200)
  }
  app.clock.advance({ seconds: 30 })
  expect((await mail(email)).status).toBe(429)
  expect(await mailsTo(app, email)).toBe(5)
  await spent(`dns-links-by:${admin.id}`, 49)
  expect((await mail(`the-last-${email}`)).status).toBe(200)
  expect((await mail(`one-too-many-${email}`)).status).toBe(429)
})

test('a domain has twenty open links at most, also when the last ones are made at once', async () => {
  for (let n = 0; n < 18; n++) await aLink()
  const answers = await Promise.all([make(), make(), make(), make()])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    type: 'DNS_LINK_LIMIT',
    message: 'This domain has 20 open links. Revoke one of them first',
  })
  const [{ _id: id }] = await list()
  await ada.call('DELETE', `/dns-links/${id}`)
  expect((await make()).status).toBe(201)
})

test('only those who may manage domains have a say, and only in their own workspace', async () => {
  const { _id: id, token } = await aLink()
  const calls = [
    ['GET', `/domains/${domainId}/dns-links`, undefined],
    ['POST', `/domains/${domainId}/dns-links`, { days: 7 }],
    ['POST', `/dns-links/${id}/mail`, { email: 'grace@example.org' }],
    ['DELETE', `/dns-links/${id}`, undefined],
  ] as const
  const foreigner = await aUser(app)
  await aWorkspace(app, { members: [{ user: foreigner, role: 'Admin' }] })
  const statusesOf = async (client: ApiClient) => {
    const statuses = []
    for (const [method, path, body] of calls)
      statuses.push((await client.call(method, path, body)).status)
    return statuses
  }
  expect(await statusesOf(holder())).toEqual([401, 401, 401, 401])
  expect(await statusesOf(await signedInAs(foreigner))).toEqual([404, 404, 404, 404])
  expect(await statusesOf(await colleague('User'))).toEqual([403, 403, 403, 403])
  expect((await use('open', token)).status).toBe(200)
  expect(await statusesOf(await colleague('Editor'))).toEqual([200, 201, 200, 200])
  expect((await use('open', token)).status).toBe(404)
})

test('links go with the domain, and stay when their maker goes', async () => {
  const { token } = await aLink()
  await app.db.deleteFrom('users').where('id', '=', admin.id).execute()
  expect((await use('open', token)).status).toBe(200)
  ada = await colleague('Admin')
  expect(await list()).toMatchObject([{ createdBy: null }])
  expect((await ada.call('DELETE', `/domains/${domainId}`)).status).toBe(200)
  expect((await use('open', token)).status).toBe(404)
  const again = await ada.call('POST', '/domains', { name })
  expect(again.status).toBe(201)
  domainId = again.body._id
  expect(await list()).toEqual([])
  expect((await use('open', token)).status).toBe(404)
})

test('a domain that moves to another workspace leaves its links behind', async () => {
  const { token } = await aLink()
  const other = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  const moved = await ada.call('POST', `/domains/${domainId}/move`, { workspaceId: other.id })
  expect(moved.status).toBe(200)
  expect((await use('open', token)).status).toBe(404)
  const headers = { 'x-workspace-id': other.id }
  const links = await ada.call('GET', `/domains/${domainId}/dns-links`, undefined, headers)
  expect(links).toMatchObject({ status: 200, body: [] })
})

test('the token is in no log, even when serving it fails', async () => {
  const { token } = await aLink()
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const clock = {
    now: () => {
      throw new Error('no time')
    },
  }
  const failing = await openHttpServer({ ...app, clock, log: pino({ level: 'trace' }, stream) })
  const answer = await anApiClient(failing).call('POST', '/dns-links/open', { token })
  await failing.close()
  expect(answer).toMatchObject({ status: 500, body: { path: '/api/v1/dns-links/open' } })
  expect(lines.join('')).toContain('no time')
  expect(lines.join('') + JSON.stringify(answer)).not.toContain(token)
  expect(app.said.join('')).not.toContain(token)
})

test('the page behind the link is for no search engine and tells no site where its reader comes from', async () => {
  for (const url of ['/dns', '/dns?x=1', '/dns/']) {
    const { headers } = await server.inject({ url, headers: { accept: 'text/html' } })
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
  }
  const { headers } = await server.inject({ url: '/login', headers: { accept: 'text/html' } })
  expect(headers).not.toHaveProperty('x-robots-tag')
})
