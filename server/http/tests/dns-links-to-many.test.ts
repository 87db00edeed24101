/** One link to the records of several domains: what it opens, for whom, and what ends it (decision 067). */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_LINKED_DOMAINS, MAX_OPEN_LINKS } from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { purgeLinks } from '#server/features/checks/links.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { type ApiClient, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace, type User, type Workspace } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { openHttpServer } from '../http-server.ts'

let app: TestApp
let world: TestDns
let server: FastifyInstance
let admin: User
let workspace: Workspace
let ada: ApiClient
/** In the order of their names. */
let domains: { _id: string; name: string }[]
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
beforeEach(async () => {
  app.clock.advance({ minutes: 2 })
  admin = await aUser(app)
  workspace = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  ada = await signedInAs(admin)
  const end = newId().slice(-12)
  domains = []
  for (const name of ['a', 'b', 'c'].map((letter) => `${letter}${end}.test`)) {
    world.zone(name)
    domains.push((await ada.call('POST', '/domains', { name })).body)
  }
})

const signedInAs = async (user: User): Promise<ApiClient> =>
  anApiClient(server, (await aSession(app, user)).headers)
const idsOf = (of = domains) => of.map(({ _id }) => _id)
const namesOf = (of = domains) => of.map(({ name }) => name)
const make = (ids: unknown = idsOf(), days: unknown = 7, client = ada) =>
  client.call('POST', '/dns-links', { ids, days })
const aLink = async (ids?: string[]): Promise<{ _id: string; url: string; token: string }> => {
  const { status, body } = await make(ids)
  expect(status, JSON.stringify(body)).toBe(201)
  return { ...body, token: new URL(body.url).hash.slice(1) }
}
type Call = 'domains' | 'open' | 'check' | 'zone-file'
const use = (call: Call, token: string, domain?: string) =>
  anApiClient(server).call('POST', `/dns-links/${call}`, { token, domain })
const opened = async (token: string): Promise<string[]> =>
  (await use('domains', token)).body.domains?.map(({ name }: { name: string }) => name)
const listed = async (domainId: string) =>
  (await ada.call('GET', `/domains/${domainId}/dns-links`)).body

test('one link shows every domain with the states of its records, and each with its records', async () => {
  const [first, second] = domains
  const link = await aLink()
  expect(new URL(link.url).pathname).toBe('/dns/domains')
  const { status, body } = await use('domains', link.token)
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['domains', 'expiresAt', 'workspaceName'])
  expect(body.domains).toHaveLength(3)
  expect(body.domains[0]).toEqual({
    ...{ name: first?.name, unicodeName: first?.name, provider: null, checkedAt: null },
    records: ['ownership', 'spf', 'dkim', 'dmarc', 'mx'].map((purpose) => ({
      ...{ purpose, required: purpose !== 'mx', state: 'waiting', explanation: '' },
      ...{ isToDo: purpose !== 'mx', verifiedAt: null, uncheckedSince: null },
    })),
  })
  expect(JSON.stringify(body)).not.toContain(first?._id)
  const one = await use('open', link.token, second?.name)
  expect(one).toMatchObject({ status: 200, body: { domain: { name: second?.name } } })
  expect(one.body.records.map(({ purpose }: DnsRecord) => purpose)).toContain('dkim')
  const file = await use('zone-file', link.token)
  for (const name of namesOf()) expect(file.body).toContain(`DNS records of ${name} for mail`)
  const fileOfOne = await use('zone-file', link.token, second?.name)
  expect(fileOfOne.body).toContain(second?.name)
  expect(fileOfOne.body).not.toContain(first?.name)
})

test('what is published shows on its page after a look, and of no other domain', async () => {
  const [first, second, third] = domains
  const { token } = await aLink(idsOf(domains.slice(0, 2)))
  const { ownership, records } = (await use('open', token, first?.name)).body
  for (const { name, type, value, priority } of [ownership, ...records] as DnsRecord[])
    world.set(name, type, [type === 'MX' ? `${priority} ${value}` : value])
  expect((await use('check', token, first?.name)).body.ownership).toMatchObject({
    state: 'verified',
  })
  const states = (await use('domains', token)).body.domains.map(
    ({ records: all }: { records: { state: string }[] }) => all.map(({ state }) => state),
  )
  expect(states[0]).toEqual(['verified', 'verified', 'verified', 'verified', 'verified'])
  expect(states[1]).not.toContain('verified')
  for (const call of ['open', 'check', 'zone-file'] as const) {
    expect((await use(call, token, third?.name)).status).toBe(404)
    expect((await use(call, token, 'example.org')).status).toBe(404)
    expect((await use(call, `${token}x`, second?.name)).status).toBe(404)
  }
  expect((await use('open', token)).status).toBe(404)
  expect((await use('domains', `${token}x`)).status).toBe(404)
})

test('while its page is open, what is not right is looked up in turns', async () => {
  const { token } = await aLink()
  const later = new Date(app.clock.now().getTime() + 3600_000)
  const checkedAgo = (seconds: number) => new Date(app.clock.now().getTime() - seconds * 1000)
  const [first, second, third] = domains
  const set = (id: string | undefined, row: { checkedAt?: Date; state?: 'verified' }) =>
    app.db
      .updateTable('domainRecords')
      .set({ nextCheckAt: later, ...row })
      .where('domainId', '=', String(id))
      .execute()
  await set(first?._id, { checkedAt: checkedAgo(59) })
  await set(second?._id, { checkedAt: checkedAgo(61) })
  await set(third?._id, { checkedAt: checkedAgo(600), state: 'verified' })
  await use('domains', token)
  const due = await app.db
    .selectFrom('domainRecords')
    .select('domainId')
    .distinct()
    .where('workspaceId', '=', workspace.id)
    .where('nextCheckAt', '<=', app.clock.now())
    .execute()
  expect(due).toEqual([{ domainId: second?._id }])
})

test('it stands in the list of each domain, and ends with the last of them, its maker or its time', async () => {
  const [first, second, third] = domains
  const link = await aLink()
  expect((await ada.call('GET', '/dns-links')).body).toMatchObject([
    { _id: link._id, url: link.url, domains: namesOf() },
  ])
  for (const { _id } of domains) expect(await listed(_id)).toMatchObject([{ _id: link._id }])
  await ada.call('DELETE', `/domains/${first?._id}`)
  expect(await opened(link.token)).toEqual(namesOf(domains.slice(1)))
  const other = await aWorkspace(app, { members: [{ user: admin, role: 'Admin' }] })
  await ada.call('POST', `/domains/${second?._id}/move`, { workspaceId: other.id })
  expect(await opened(link.token)).toEqual([third?.name])
  // Of what is left, it opens as a link to one does, also by its first address.
  expect((await use('open', link.token)).status).toBe(200)
  expect((await ada.call('GET', '/dns-links')).body).toEqual([])
  await ada.call('DELETE', `/domains/${third?._id}`)
  for (const call of ['domains', 'open'] as const)
    expect((await use(call, link.token)).status).toBe(404)
  expect((await ada.call('DELETE', `/dns-links/${link._id}`)).status).toBe(200)
  expect((await ada.call('DELETE', `/dns-links/${link._id}`)).status).toBe(404)
})

test('the lost role of its maker ends it, and so does its time', async () => {
  const editor = await aUser(app)
  const createdAt = app.clock.now()
  const member = {
    workspaceId: workspace.id,
    userId: editor.id,
    role: 'Editor',
    createdAt,
  } as const
  await app.db.insertInto('members').values(member).execute()
  const inHere = { 'x-workspace-id': workspace.id }
  const form = { ids: idsOf(), days: 1 }
  const eve = await signedInAs(editor)
  const made = (await eve.call('POST', '/dns-links', form, inHere)).body
  const token = new URL(made.url).hash.slice(1)
  expect(await opened(token)).toHaveLength(3)
  await ada.call('PATCH', `/members/${editor.id}`, { role: 'User' })
  expect((await use('domains', token)).status).toBe(404)
  expect((await eve.call('POST', '/dns-links', form, inHere)).status).toBe(403)
  expect((await eve.call('GET', '/dns-links', undefined, inHere)).status).toBe(403)

  const { token: mine } = await aLink()
  app.clock.advance({ days: 7 })
  expect((await use('domains', mine)).status).toBe(404)
  await purgeLinks(app)
  const { count } = await app.db
    .selectFrom('dnsLinkDomains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspace.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

test('every domain is the workspace’s own, and no domain is in more links than allowed', async () => {
  const stranger = await aUser(app)
  await aWorkspace(app, { members: [{ user: stranger, role: 'Admin' }] })
  const eve = await signedInAs(stranger)
  expect((await make(idsOf(), 7, eve)).status).toBe(404)
  const theirs = (await eve.call('POST', '/domains', { name: `e${newId().slice(-12)}.test` })).body
  expect((await make([...idsOf(), theirs._id])).status).toBe(404)
  expect((await make([...idsOf(), newId()])).status).toBe(404)
  expect((await eve.call('GET', '/dns-links')).body).toEqual([])
  const tooMany = Array.from({ length: MAX_LINKED_DOMAINS + 1 }, () => newId())
  for (const [ids, message] of [
    [[], 'Please select at least one domain'],
    [tooMany, 'A link opens at most 100 domains'],
  ])
    expect(await make(ids)).toMatchObject({ status: 422, body: { data: { ids: message } } })
  const [first] = domains
  for (let n = 1; n < MAX_OPEN_LINKS; n++) await aLink([String(first?._id)])
  await aLink([...idsOf(), ...idsOf()])
  expect(await make()).toMatchObject({
    status: 409,
    body: { message: 'One of these domains has 20 open links. Revoke one of them first' },
  })
  expect((await make(idsOf(domains.slice(1)))).status).toBe(201)
})

test('it is mailed with the names of its domains', async () => {
  const { _id, url } = await aLink()
  const email = `grace-${newId().slice(-12)}@example.org`
  expect((await ada.call('POST', `/dns-links/${_id}/mail`, { email })).status).toBe(200)
  const held = (await listHeldMails(app)).find(({ to }) => to === email)
  expect(held?.subject).toBe('DNS records to publish for 3 domains')
  expect(held?.text).toContain(`The domains are ${namesOf().join(', ')}.`)
  expect(held?.text.split('\n')).toContain(url)
})
