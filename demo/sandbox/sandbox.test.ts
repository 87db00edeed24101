/** The endpoints of Sandbox DNS: every mistake is detected and undone, and a workspace edits only its own zones. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedSandboxZone, SandboxRecordForm, SandboxZone } from '#contract/dns/sandbox.ts'
import { checkDomain } from '#server/features/checks/check-domain.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { type ApiAnswer, anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aSession } from '#test-world/session.ts'
import { openOtherProvider } from '../sample/faults.ts'
import { openSandboxZones, SECOND_IP } from '../world/sandbox-zones.ts'
import { openSandbox } from './sandbox.ts'
import { sandboxRoutes } from './sandbox-routes.ts'

const MAIL_IP = '192.0.2.25'
const DOMAIN = 'my-shop.example'

let dns: TestDns
let second: TestDns
let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  dns = await aDnsServer()
  second = await aDnsServer({ port: dns.port, host: SECOND_IP })
  app = await anApp({
    config: { mailIps: [MAIL_IP], mailHost: 'mail.mailstead.example' },
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true },
      // A silent server times out earlier than in production.
      timeoutMs: 1_500,
    }),
  })
  const zones = openSandboxZones(dns, second)
  openOtherProvider(zones)
  server = await openHttpServer(app, { moreRoutes: sandboxRoutes(openSandbox(zones)) })
})
afterAll(async () => {
  await server.close()
  await app.close()
  await Promise.all([dns.close(), second.close()])
})

type Row = { purpose: string; state: string; explanation: string }
const who = async (role: 'Admin' | 'Editor' | 'User' = 'Admin') => {
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role }] })
  const client = anApiClient(server, (await aSession(app, user)).headers)
  return { ...client, workspace }
}
type Person = Awaited<ReturnType<typeof who>>

const add = async (person: Person, name: string): Promise<string> =>
  (await person.call('POST', '/domains', { name })).body._id

const check = async ({ workspace, call }: Person, id: string): Promise<Row[]> => {
  await checkDomain(app, { id, workspaceId: workspace.id }, 'all')
  const ownership: ApiAnswer = await call('GET', `/dns-records/ownership/${id}`)
  return [ownership.body, ...(await call('GET', `/dns-records/dns/${id}`)).body]
}

const sentences: [mistake: string, purpose: string, words: RegExp][] = [
  ['ownership-doubled', 'ownership', /appended the domain to the host once more/],
  ['ownership-apex', 'ownership', /is at my-shop.example instead of _mailstead/],
  ['ownership-other', 'ownership', /another value/],
  ['ownership-short', 'ownership', /cut off/],
  ['ownership-alias', 'ownership', /there is an alias \(CNAME\)/],
  ['spf-doubled', 'spf', /appended the domain to the host once more/],
  ['spf-two', 'spf', /2 SPF records/],
  ['spf-without-us', 'spf', /does not let our servers/],
  ['spf-after-all', 'spf', /stands after '-all'/],
  ['spf-everybody', 'spf', /every server in the world/],
  ['spf-nowhere', 'spf', /gone.bigmail.example/],
  ['spf-look-ups', 'spf', /more than 10 DNS look-ups/],
  ['spf-quoted', 'spf', /became part/],
  ['dkim-cut', 'dkim', /cut off/],
  ['dkim-doubled', 'dkim', /appended the domain to the host once more/],
  ['dkim-dotless', 'dkim', /instead of/],
  ['dkim-other', 'dkim', /not the one shown here/],
  ['dkim-two', 'dkim', /2 DKIM keys/],
  ['dkim-empty', 'dkim', /is empty/],
  ['dkim-quoted', 'dkim', /quotation marks became part/],
  ['dkim-escaped', 'dkim', /backslashes became part/],
  ['dkim-spaced', 'dkim', /spaces inside, where its strings were joined/],
  ['dkim-proxied', 'dkim', /proxied/],
  ['dmarc-plain', 'dmarc', /instead of _dmarc/],
  ['dmarc-policy', 'dmarc', /'p=nothing' is no policy/],
  ['dmarc-semicolon', 'dmarc', /semicolon is missing/],
  ['dmarc-two', 'dmarc', /2 DMARC policies/],
  ['mx-same', 'mx', /same priority/],
  ['mx-other', 'mx', /goes to mx.bigmail.example/],
  ['mx-null', 'mx', /takes no mail/],
  ['mx-appended', 'mx', /has appended a domain/],
  ['zone-alias', 'spf', /is an alias \(CNAME\) of/],
  ['zone-wildcard', 'ownership', /wildcard record/],
  ['zone-empty', 'dkim', /no DKIM key/],
  ['zone-gone', 'spf', /my-shop.example/],
  ['servers-disagreeing', 'dkim', /do not agree/],
  ['servers-silent', 'dkim', /^$/],
  ['servers-slow', 'dkim', /^$/],
  ['servers-failing', 'dkim', /SERVFAIL/],
  ['servers-lame', 'dkim', /is delegated to .* not know this zone/],
  ['servers-bogus', 'dkim', /signatures of my-shop.example are wrong/],
  ['spf-cached', 'spf', /older answer in the cache/],
]

test('every mistake is named, and undone without a trace', async () => {
  const ada = await who()
  const id = await add(ada, DOMAIN)
  const at = `/sandbox-dns/${id}`
  expect((await ada.call('GET', at)).body).toMatchObject({ zone: null, records: [] })
  const whole: SandboxZone = (await ada.call('POST', `${at}/publish`)).body
  expect(whole.nameServers).toEqual([`ns1.${DOMAIN}`, `ns2.${DOMAIN}`])
  expect(whole.mistakes.map((mistake) => mistake.id).toSorted()).toEqual(
    sentences.map(([mistake]) => mistake).toSorted(),
  )
  expect((await check(ada, id)).map(({ state }) => state)).toEqual(Array(5).fill('verified'))
  for (const [mistake, purpose, words] of sentences) {
    const made: SandboxZone = (await ada.call('POST', `${at}/mistakes`, { mistake })).body
    expect(made.mistakes.filter(({ isMade }) => isMade).map((each) => each.id)).toEqual([mistake])
    const rows = await check(ada, id)
    const row = rows.find((each) => each.purpose === purpose)
    expect.soft(row?.explanation, mistake).toMatch(words)
    const undone: SandboxZone = (await ada.call('DELETE', `${at}/mistakes/${mistake}`)).body
    // The expected record is still the one that Mailstead proposed when it saw the mistake.
    expect({ ...undone, asked: whole.asked }, mistake).toEqual(whole)
  }
  expect((await check(ada, id)).map(({ state }) => state)).toEqual(Array(5).fill('verified'))
})

test('what a mistake put into the proposed SPF is neither published nor built on', async () => {
  const ada = await who()
  const id = await add(ada, 'sound.example')
  const at = `/sandbox-dns/${id}`
  const spfIn = ({ records }: SandboxZone) =>
    records.find(({ value }) => value.startsWith('v=spf1'))?.value
  await ada.call('POST', `${at}/publish`)
  await check(ada, id)
  await ada.call('POST', `${at}/mistakes`, { mistake: 'spf-look-ups' })
  const rows = await check(ada, id)
  expect(rows.find(({ purpose }) => purpose === 'spf')?.state).toBe('different')
  const next = await ada.call('POST', `${at}/mistakes`, { mistake: 'spf-everybody' })
  expect(spfIn(next.body)).toBe(`v=spf1 ip4:${MAIL_IP} +all`)
  await check(ada, id)
  expect(spfIn((await ada.call('POST', `${at}/publish`)).body)).toBe(`v=spf1 ip4:${MAIL_IP} ~all`)
  expect((await check(ada, id)).map(({ state }) => state)).toEqual(Array(5).fill('verified'))
})

const record = { host: 'www', type: 'A', value: '192.0.2.7', priority: null, ttl: 600 } as const

test('records are added, changed and deleted by the rules of a zone', async () => {
  const ada = await who()
  const at = `/sandbox-dns/${await add(ada, 'typed.example')}`
  const send = async (body: SandboxRecordForm, method = 'POST', path = `${at}/records`) =>
    (await ada.call(method, path, body)).body
  const first: SandboxZone = await send(record)
  expect(first.records).toMatchObject([{ ...record, name: 'www.typed.example' }])
  const path = `${at}/records/${first.records[0]?.id}`
  const second: SandboxZone = await send({ ...record, value: '192.0.2.8', ttl: 60 }, 'PUT', path)
  expect(second.records).toMatchObject([{ value: '192.0.2.8', ttl: 60 }])
  expect((await ada.call('PUT', path, record)).body).toMatchObject({
    ...{ type: 'NOT_EXISTS', message: 'This record is not there any more' },
  })
  for (const [wrong, field, message] of refused)
    expect(await send({ ...record, value: '192.0.2.8', ...wrong }), message).toMatchObject({
      ...{ type: 'VALIDATION', data: { [field]: expect.stringContaining(message) } },
    })
  const markup = '"><script>alert(1)</script>'
  await send({ ...record, host: 'www.typed.example', type: 'TXT', value: markup })
  const mx = { ...record, host: '', type: 'MX', value: 'mx.typed.example', priority: 5 } as const
  const shown: SandboxZone = await send(mx)
  expect(
    shown.records.map(({ host, type, value, priority }) => [host, type, value, priority]),
  ).toEqual([
    ['@', 'MX', 'mx.typed.example', 5],
    ['www', 'A', '192.0.2.8', null],
    ['www.typed.example', 'TXT', markup, null],
  ])
  const strings: SandboxZone = await send({
    ...{ ...record, host: 'cut', type: 'TXT', value: '"one " "two"' },
  })
  expect(strings.records.find(({ host }) => host === 'cut')?.value).toBe('one two')
  for (const { id } of strings.records) await ada.call('DELETE', `${at}/records/${id}`)
  expect((await ada.call('GET', at)).body.records).toEqual([])
})

const refused: [Partial<SandboxRecordForm>, string, string][] = [
  [{}, 'value', 'there already'],
  [{ value: 'mail.example' }, 'value', 'IPv4 address'],
  [{ type: 'AAAA', value: '1.2.3.4' }, 'value', 'IPv6 address'],
  [{ type: 'CNAME', value: 'a b' }, 'value', 'another host'],
  [{ type: 'CNAME', value: 'other.example' }, 'type', 'cannot stand beside'],
  [{ type: 'MX', value: 'mx.example', priority: null }, 'priority', 'Required'],
  [{ type: 'MX', value: 'not a host', priority: 70_000 }, 'priority', '0 to 65535'],
  [{ type: 'TXT', value: ' ' }, 'value', 'Required'],
  [{ type: 'TXT', value: 'é'.repeat(3_000) }, 'value', '4,000 bytes'],
  [{ host: 'a b' }, 'host', 'letters, digits'],
  [{ host: 'www.other.example.' }, 'host', 'has to end in typed.example'],
  [{ host: Array(4).fill('a'.repeat(60)).join('.') }, 'host', 'too long'],
  [{ ttl: 5 }, 'ttl', '30 to 86400'],
]

test('what is changed by hand is no mistake of ours any more, and publishing undoes the rest', async () => {
  const ada = await who()
  const at = `/sandbox-dns/${await add(ada, 'mended.example')}`
  const whole: SandboxZone = (await ada.call('POST', `${at}/publish`)).body
  const make = async (mistake: string): Promise<SandboxZone> =>
    (await ada.call('POST', `${at}/mistakes`, { mistake })).body
  const made = ({ mistakes }: SandboxZone) =>
    mistakes.filter(({ isMade }) => isMade).map(({ id }) => id)
  await make('dkim-cut')
  // Two mistakes in one record: the later one counts.
  await make('spf-everybody')
  const both = await make('spf-two')
  expect(made(both)).toEqual(['spf-two', 'dkim-cut'])
  const other = both.records.find(({ value }) => value.includes('bigmail'))
  const mended: SandboxZone = (await ada.call('DELETE', `${at}/records/${other?.id}`)).body
  expect(made(mended)).toEqual(['dkim-cut'])
  const again: SandboxZone = (await ada.call('POST', `${at}/publish`)).body
  expect(again).toEqual(whole)
  expect((await ada.call('POST', `${at}/mistakes`, { mistake: 'no-such' })).body).toMatchObject({
    data: { mistake: 'There is no such mistake' },
  })
})

test('a workspace sees and changes the zones of its own domains only', async () => {
  const ada = await who()
  const eve = await who()
  const id = await add(ada, 'private.example')
  await ada.call('POST', `/sandbox-dns/${id}/publish`)
  for (const path of [`/sandbox-dns/${id}`, '/sandbox-dns/nothing'])
    expect((await eve.call('GET', path)).body, path).toMatchObject({ type: 'NOT_EXISTS' })
  expect((await eve.call('POST', `/sandbox-dns/${id}/publish`)).status).toBe(404)
  // Also for a claimed domain, and for one in a foreign zone: nothing is shown.
  for (const name of ['private.example', 'sub.private.example', 'mail.bigmail.example']) {
    const claimed = await add(eve, name)
    expect((await eve.call('GET', `/sandbox-dns/${claimed}`)).body, name).toMatchObject({
      ...{ isForeign: true, records: [], mistakes: [], nameServers: [] },
    })
    expect((await eve.call('POST', `/sandbox-dns/${claimed}/publish`)).body).toMatchObject({
      ...{ type: 'FORBIDDEN', message: 'This zone belongs to another workspace' },
    })
  }
  const listed: ListedSandboxZone[] = (await ada.call('GET', '/sandbox-dns')).body
  expect(listed).toMatchObject([{ name: 'private.example', published: 5, asked: 5, records: 5 }])
  const theirs: ListedSandboxZone[] = (await eve.call('GET', '/sandbox-dns')).body
  expect(theirs.every(({ isForeign, records }) => isForeign && records === 0)).toBe(true)
  const wanda = await who('User')
  expect((await wanda.call('GET', '/sandbox-dns')).status).toBe(403)
  expect((await anApiClient(server).call('GET', '/sandbox-dns')).status).toBe(401)
})

test('outside of the demo there are no such endpoints', async () => {
  const plain = await openHttpServer(app)
  const ada = await who()
  const { headers } = await aSession(app, { id: (await aUser(app)).id })
  const stranger = anApiClient(plain, headers)
  const id = await add(ada, 'plain.example')
  for (const [method, path] of [
    ['GET', '/sandbox-dns'],
    ['GET', `/sandbox-dns/${id}`],
    ['POST', `/sandbox-dns/${id}/publish`],
    ['POST', `/sandbox-dns/${id}/records`],
    ['POST', `/sandbox-dns/${id}/mistakes`],
  ] as const)
    expect((await stranger.call(method, path)).body, path).toMatchObject({ type: 'NOT_EXISTS' })
  expect((await stranger.call('GET', '/installation')).body.sandboxDns).toBe(false)
  expect((await ada.call('GET', '/installation')).body.sandboxDns).toBe(true)
  expect((await stranger.call('GET', '/openapi.json')).body.paths['/sandbox-dns']).toBeUndefined()
  await plain.close()
})
