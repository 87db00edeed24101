/** The optional records of mail programs and of MTA-STS: proposed, published, checked, and what the policy then says. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DnsRecord, OptionalPurpose } from '#contract/domains.ts'
import { checkDomain } from '#server/features/checks/check-domain.ts'
import { domainZoneFile } from '#server/features/checks/domain-zone-file.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { addDomain } from './add-domain.ts'
import { dnsRecords, optionalRecords, ownershipRecord } from './dns-records.ts'
import { stsPolicyOf } from './sts-policy.ts'

const MAIL_HOST = 'mail.host.test'
const WEB_HOST = 'web.host.test'

let app: TestApp
let dns: TestDns
let who: Who
let id: string
let name: string
let count = 0
beforeAll(async () => {
  dns = await aDnsServer()
  dns.zone('host.test')
  dns.set(WEB_HOST, 'A', ['192.0.2.80'])
  app = await anApp({
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port },
      ...{ allowLoopbackPeers: true, timeoutMs: 10_000 },
    }),
    config: {
      ...{ mailHost: MAIL_HOST, mailIps: ['192.0.2.25'], publicUrl: `https://${WEB_HOST}` },
      ...{ imapsPort: 993, imapPort: 143, submissionsPort: 465, submissionPort: 587 },
    },
  })
  who = await aMember(app)
})
afterAll(async () => {
  await app.close()
  await dns.close()
})
beforeEach(async () => {
  name = `programs${count++}.test`
  dns.zone(name)
  const { _id } = await addDomain(app, who, { name })
  id = _id
  for (const record of [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))])
    publish(record)
  await check()
})

const publish = ({ name: at, type, value, priority }: DnsRecord) =>
  dns.set(at, type, [priority === null ? value : `${priority} ${value}`])
const check = () => {
  app.clock.advance({ seconds: 1 })
  return checkDomain(app, { id, workspaceId: who.workspaceId }, 'all')
}
const records = () => optionalRecords(app, who, id)
const one = async (purpose: OptionalPurpose): Promise<DnsRecord> => {
  const record = (await records()).find((each) => each.purpose === purpose)
  if (!record) throw new Error(`no ${purpose}`)
  return record
}

test('each is proposed, and right once it is published; none is required', async () => {
  const proposed = (await records()).filter(({ purpose }) => purpose !== 'dkim-ed25519')
  expect(proposed.map(({ type, name: at, value }) => [at, type, value])).toEqual([
    [`_imaps._tcp.${name}`, 'SRV', `0 1 993 ${MAIL_HOST}`],
    [`_submissions._tcp.${name}`, 'SRV', `0 1 465 ${MAIL_HOST}`],
    [`_imap._tcp.${name}`, 'SRV', `10 1 143 ${MAIL_HOST}`],
    [`_submission._tcp.${name}`, 'SRV', `10 1 587 ${MAIL_HOST}`],
    [`autoconfig.${name}`, 'CNAME', WEB_HOST],
    [`autodiscover.${name}`, 'CNAME', WEB_HOST],
    [`ua-auto-config.${name}`, 'CNAME', WEB_HOST],
    [`_ua-auto-config.${name}`, 'TXT', expect.stringMatching(/^v=UAAC1; a=sha256; d=.{43}=$/)],
    [`mta-sts.${name}`, 'CNAME', WEB_HOST],
    [`_mta-sts.${name}`, 'TXT', expect.stringMatching(/^v=STSv1; id=testing[0-9a-f]{8}$/)],
    [`_smtp._tls.${name}`, 'TXT', `v=TLSRPTv1; rua=mailto:postmaster@${name}`],
  ])
  expect(proposed.every(({ required }) => !required)).toBe(true)
  await check()
  for (const record of (await records()).filter(({ purpose }) => purpose !== 'dkim-ed25519')) {
    expect(record.state, record.purpose).toBe('waiting')
    expect(record.explanation).toBe(`There is no ${record.type} record at ${record.name} yet.`)
    expect(record.fix).toContain(record.value)
  }
  for (const record of proposed) publish(record)
  await check()
  const states = (await records()).map(({ purpose, state }) => [purpose, state])
  expect(states.filter(([, state]) => state !== 'verified')).toEqual([['dkim-ed25519', 'waiting']])
})

test.each<[OptionalPurpose, string, string[], string, RegExp]>([
  ['srv-imaps', 'SRV', ['0 1 993 other.test'], 'different', /leads to other\.test, port 993/],
  ['srv-imaps', 'SRV', ['0 1 2993 mail.host.test'], 'different', /port 2993 instead of .*port 993/],
  ['srv-imaps', 'SRV', ['0 0 0 .'], 'different', /says that there is none/],
  [
    'srv-imaps',
    'SRV',
    ['5 1 993 mail.host.test', '1 1 993 other.test'],
    'different',
    /other\.test, port 993\) comes before ours/,
  ],
  ['srv-imaps', 'SRV', ['7 9 993 MAIL.host.test'], 'verified', /^$/],
  ['autoconfig', 'CNAME', ['other.test'], 'different', /names other\.test/],
  ['autoconfig', 'CNAME', ['web.host.test.example.com'], 'different', /has appended a domain/],
  ['autoconfig', 'A', ['192.0.2.80'], 'verified', /^$/],
  ['autoconfig', 'A', ['192.0.2.99'], 'different', /leads to 192\.0\.2\.99, and not here/],
  ['pacc-digest', 'TXT', ['v=UAAC1; a=sha256; d=AAAA'], 'different', /another value/],
  ['mta-sts', 'TXT', ['v=STSv1; id=20260101'], 'different', /another policy/],
  ['mta-sts', 'TXT', ['v=STSv1; id=1', 'v=STSv1; id=2'], 'conflict', /2 MTA-STS records/],
  ['tls-rpt', 'TXT', ['v=TLSRPTv1; rua=https://reports.test/x'], 'verified', /^$/],
  ['tls-rpt', 'TXT', ['v=TLSRPTv1; rua=postmaster@x.test'], 'different', /neither mailto: nor/],
  ['tls-rpt', 'TXT', ['v=TLSRPTv1;'], 'different', /no address for the reports/],
])('%s with %s %j is %s', async (purpose, type, values, state, explanation) => {
  const record = await one(purpose)
  dns.set(record.name, type as 'TXT', values)
  await check()
  const found = await one(purpose)
  expect(found.state).toBe(state)
  expect(found.explanation).toMatch(explanation)
})

test('DNS that does not answer changes nothing', async () => {
  publish(await one('autoconfig'))
  await check()
  expect((await one('autoconfig')).state).toBe('verified')
  dns.behave(name, 'servfail')
  await check()
  dns.behave(name, null)
  expect((await one('autoconfig')).state).toBe('verified')
})

test('the MTA-STS policy is tried until its owner writes enforce, and is nobody else’s', async () => {
  const policy = async () => (await stsPolicyOf(app, name))?.split('\r\n')
  const trying = ['version: STSv1', 'mode: testing', `mx: ${MAIL_HOST}`, 'max_age: 86400', '']
  expect(await policy()).toEqual(trying)
  const record = await one('mta-sts')
  publish(record)
  await check()
  expect(await policy()).toEqual(trying)
  const enforcing = record.value.replace('testing', 'enforce')
  dns.set(record.name, 'TXT', [enforcing])
  await check()
  expect(await one('mta-sts')).toMatchObject({ state: 'verified', value: enforcing })
  expect(await policy()).toEqual([
    'version: STSv1',
    'mode: enforce',
    `mx: ${MAIL_HOST}`,
    'max_age: 1209600',
    '',
  ])
  dns.set(record.name, 'TXT', [enforcing.replace(/.$/, 'x')])
  await check()
  expect(await policy()).toEqual(trying)
  expect(await stsPolicyOf(app, 'unknown.test')).toBeNull()
  const unproven = await addDomain(app, who, { name: 'unproven.test' })
  expect(await stsPolicyOf(app, unproven.name)).toBeNull()
})

test('the zone file has them, as comments where something else is', async () => {
  const record = await one('autoconfig')
  dns.set(record.name, 'CNAME', ['other.test'])
  await check()
  const { content } = await domainZoneFile(app, who, id)
  expect(content).toContain(`\n_imaps._tcp 3600 IN SRV 0 1 993 ${MAIL_HOST}.\n`)
  expect(content).toContain(`\nautodiscover 3600 IN CNAME ${WEB_HOST}.\n`)
  expect(content).toContain(`;   now: other.test\n;autoconfig 3600 IN CNAME ${WEB_HOST}.\n`)
})

test('with other ports or no name, only what can be published is proposed', async () => {
  const config = { ...app.config, imapsPort: 2993, publicUrl: 'https://192.0.2.80' }
  const other = { ...app, config }
  const purposes = (await optionalRecords(other, who, id)).map(({ purpose }) => purpose)
  expect(purposes).toEqual([
    ...['dkim-ed25519', 'srv-imaps', 'srv-submissions', 'srv-imap', 'srv-submission', 'tls-rpt'],
  ])
})
