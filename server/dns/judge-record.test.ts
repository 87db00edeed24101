import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RecordPurpose, recordPurpose } from '#contract/domains.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import {
  DKIM,
  DOMAIN,
  MAIL_HOST,
  mistakeRows,
  OLD_KEY,
  PUBLIC_KEY,
  SELECTOR,
  SENDER_IP,
  TOKEN,
} from '#test-world/dns/mistakes.ts'
import { judgeRecord } from './judge-record.ts'
import { expectedRecords, recordKinds } from './record-kinds.ts'

let world: TestDns
beforeEach(async () => {
  world = await aDnsServer()
})
afterEach(() => world.close())

const records = (domain: string) =>
  expectedRecords({
    name: domain,
    ownershipToken: TOKEN.slice(TOKEN.indexOf('=') + 1),
    selector: SELECTOR,
    publicKey: PUBLIC_KEY,
    spfMechanisms: [`ip4:${SENDER_IP}`],
    mailHost: MAIL_HOST,
  })

const judge = (purpose: RecordPurpose, domain = DOMAIN) => {
  const dns = openDns({
    servers: [world.address],
    port: world.port,
    allowLoopbackPeers: true,
    timeoutMs: 600,
  })
  const record = records(domain).find((each) => each.purpose === purpose)
  if (!record) throw new Error(`no ${purpose}`)
  return judgeRecord({
    dns,
    record,
    domain,
    senders: { ips: [SENDER_IP], mechanisms: [`ip4:${SENDER_IP}`] },
    mailHost: MAIL_HOST,
    memo: new Map(),
    keys: [{ selector: SELECTOR, publicKey: PUBLIC_KEY }, OLD_KEY],
    isExplained: true,
    lookUp: async (name, type) => {
      const answer = await dns.lookUp(name, type)
      if (answer.outcome !== 'found') return { outcome: answer.outcome }
      return { outcome: 'found', values: answer.records.map(({ data }) => data) }
    },
  })
}

test('each kind of record has a place of its own in the lists', () => {
  const positions = Object.values(recordKinds).map(({ position }) => position)
  expect(new Set(positions).size).toBe(recordPurpose.options.length)
})

test('the table is whole', () => {
  expect(mistakeRows.length).toBeGreaterThan(80)
  for (const row of mistakeRows) {
    if (row.state !== 'verified') expect(row.fix, row.mistake).toMatch(/\.$/)
    expect(row.explanation, row.mistake).toMatch(/\.$/)
  }
})

test.each(mistakeRows)('$mistake', async ({ purpose, zone, state, explanation, fix, value }) => {
  world.zone(DOMAIN)
  for (const line of zone) world.set(line.name, line.type, line.values)
  const { verdict, sightings } = await judge(purpose)
  expect(verdict).toMatchObject({ state, explanation, fix })
  if (value !== undefined) expect(verdict.value).toBe(value)
  const [published] = sightings?.published ?? []
  expect(published).toMatchObject({ server: `ns1.${DOMAIN}`, reason: '' })
})

test.each(mistakeRows.filter(({ value, mistake }) => value && !mistake.includes('10 look-ups')))(
  'the value then shown mends: $mistake',
  async ({ purpose, zone, value = '' }) => {
    world.zone(DOMAIN)
    for (const line of zone) world.set(line.name, line.type, line.values)
    const at = purpose === 'spf' ? DOMAIN : `_dmarc.${DOMAIN}`
    world.remove(at, 'CNAME')
    for (const service of ['news.test', 'a.test'])
      world.set(service, 'TXT', ['v=spf1 ip4:198.51.100.1 -all'])
    world.set(at, 'TXT', [value])
    expect((await judge(purpose)).verdict).toMatchObject({ state: 'verified', value })
  },
)

test('a domain that does not exist is said to be so', async () => {
  for (const purpose of ['ownership', 'spf', 'dkim', 'dmarc', 'mx'] as const)
    expect((await judge(purpose)).verdict).toMatchObject({
      state: 'waiting',
      explanation: `The domain ${DOMAIN} does not exist in DNS: its name is misspelt, or it is not registered or has expired.`,
      fix: `Check the spelling of ${DOMAIN}, and at the registrar that it is registered, paid for and has name servers.`,
    })
})

test('below a zone that exists, a name without records is only not there yet', async () => {
  world.zone('example.net')
  expect((await judge('spf', 'team.example.net')).verdict).toMatchObject({
    state: 'waiting',
    explanation: 'team.example.net has no SPF record yet.',
  })
  world.set('_mailstead.team.example.net.example.net', 'TXT', [TOKEN])
  expect((await judge('ownership', 'team.example.net')).verdict).toMatchObject({
    explanation: expect.stringContaining('_mailstead.team.example.net.example.net'),
    fix: 'Change its host to _mailstead.team, without the domain; the provider appends it.',
  })
})

test("a subdomain has its organisation's DMARC policy", async () => {
  world.zone('example.net')
  world.set('_dmarc.example.net', 'TXT', ['v=DMARC1; p=reject'])
  expect((await judge('dmarc', 'team.example.net')).verdict).toMatchObject({
    state: 'verified',
    value: 'v=DMARC1; p=reject',
    explanation:
      'team.example.net has no DMARC policy of its own, so the one at _dmarc.example.net applies to it.',
  })
})

test('an alias (CNAME) to the right record is right', async () => {
  world.zone(DOMAIN)
  world.zone('keys.test')
  world.set(`${SELECTOR}._domainkey.${DOMAIN}`, 'CNAME', ['k.keys.test'])
  world.set('k.keys.test', 'TXT', [DKIM])
  expect((await judge('dkim')).verdict).toMatchObject({ state: 'verified', explanation: '' })
})

test('DNSSEC that is wrong is named, and counts against no record', async () => {
  world.zone(DOMAIN)
  world.set(`_mailstead.${DOMAIN}`, 'TXT', [TOKEN])
  world.behave(DOMAIN, 'bogus', 'resolver')
  const { verdict, sightings } = await judge('ownership')
  expect(verdict).toMatchObject({
    state: 'unknown',
    explanation: `The DNSSEC signatures of ${DOMAIN} are wrong, so most of the world treats its records as forged and sees none of them.`,
    fix: `Have the DNS provider sign ${DOMAIN} again, or remove the DS record of ${DOMAIN} at the registrar until it is signed rightly.`,
  })
  expect(sightings).toMatchObject({
    zone: DOMAIN,
    published: [{ server: `ns1.${DOMAIN}`, state: 'verified', values: [TOKEN] }],
    visible: [{ server: world.address, state: 'unknown' }],
  })
})

test('an old answer in a cache is said with the seconds that it has left', async () => {
  world.zone(DOMAIN)
  world.set(`_mailstead.${DOMAIN}`, 'TXT', [TOKEN])
  world.setCached(`_mailstead.${DOMAIN}`, 'TXT', ['mailstead-verify=old'])
  const { verdict, sightings } = await judge('ownership')
  expect(verdict).toMatchObject({
    state: 'verified',
    explanation: `The record at _mailstead.${DOMAIN} is published, but ${world.address} still has an older answer in the cache, for up to 300 seconds.`,
  })
  expect(sightings).toMatchObject({
    published: [{ state: 'verified' }],
    visible: [{ state: 'different', ttlSeconds: 300, values: ['mailstead-verify=old'] }],
  })
})

const LOSER = '127.0.0.2'

test('name servers that disagree are still spreading, with their names', async () => {
  const second = await aDnsServer({ port: world.port, host: LOSER })
  world.zone(DOMAIN)
  second.zone(DOMAIN)
  world.set(DOMAIN, 'NS', [`ns1.${DOMAIN}`, `ns2.${DOMAIN}`])
  world.set(`ns2.${DOMAIN}`, 'A', [LOSER])
  world.set(`_mailstead.${DOMAIN}`, 'TXT', [TOKEN])
  const { verdict, sightings } = await judge('ownership')
  expect(verdict).toMatchObject({
    state: 'waiting',
    explanation: `The name servers do not agree on _mailstead.${DOMAIN} yet: ns1.${DOMAIN} has the right record, ns2.${DOMAIN} still has an older one.`,
    fix: `There is nothing to do but wait; if it stays so for more than an hour, ask the DNS provider why ns2.${DOMAIN} lags behind.`,
  })
  expect(sightings?.published).toMatchObject([
    { server: `ns1.${DOMAIN}`, state: 'verified' },
    { server: `ns2.${DOMAIN}`, state: 'waiting' },
  ])
  second.set(`_mailstead.${DOMAIN}`, 'TXT', ['unrelated', [TOKEN.slice(0, 9), TOKEN.slice(9)]])
  expect((await judge('ownership')).verdict).toMatchObject({ state: 'verified', explanation: '' })
  second.behave(DOMAIN, 'silent')
  expect((await judge('ownership')).verdict).toMatchObject({ state: 'verified' })
  await second.close()
})

test('a zone that its name servers do not know is lame, also when only the parent says where it should be', async () => {
  const second = await aDnsServer({ port: world.port, host: LOSER })
  const domain = 'lame.example.net'
  second.behave(domain, 'lame')
  world.zone('example.net')
  world.set(domain, 'NS', [`ns1.${domain}`])
  world.set(`ns1.${domain}`, 'A', [LOSER])
  world.behave(domain, 'servfail', 'resolver')
  const lame = {
    state: 'unknown',
    explanation: `${domain} is delegated to ns1.${domain}, which does not know this zone, so none of its records can be seen.`,
    fix: `Add the zone ${domain} at the provider that runs ns1.${domain}, or set the name servers at the registrar to those of the provider where its records are.`,
  }
  expect((await judge('ownership', domain)).verdict).toMatchObject(lame)
  second.behave(domain, 'refused')
  expect((await judge('ownership', domain)).verdict).toMatchObject(lame)
  second.behave(domain, 'silent')
  expect((await judge('ownership', domain)).verdict).toMatchObject({
    state: 'unknown',
    explanation: expect.stringMatching(
      /^This record could not be checked: the name servers of lame\.example\.net did not answer \(.*in time.*\)\.$/,
    ),
  })
  await second.close()
})

test.each(['servfail', 'refused', 'silent', 'garbage'] as const)(
  'servers that fail (%s) leave the record unknown, and are named',
  async (behaviour) => {
    world.zone(DOMAIN)
    world.behave(DOMAIN, behaviour)
    const { verdict } = await judge('spf')
    expect(verdict.state).toBe('unknown')
    expect(verdict.explanation).toContain(world.address)
  },
)

test('an answer that is cut over UDP is read whole over TCP', async () => {
  world.zone(DOMAIN)
  world.set(`${SELECTOR}._domainkey.${DOMAIN}`, 'TXT', [DKIM])
  world.behave(`${SELECTOR}._domainkey.${DOMAIN}`, 'truncate')
  expect((await judge('dkim')).verdict.state).toBe('verified')
  expect(world.queries.filter(({ transport }) => transport === 'tcp').length).toBeGreaterThan(1)
})
