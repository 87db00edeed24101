import { afterAll, beforeAll, expect, test } from 'vitest'
import { dnsSetting as dnsSettingShape } from '#contract/dns/setting.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords } from '#server/features/domains/dns-records.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { checkDomain } from './check-domain.ts'
import { dnsSetting } from './dns-setting.ts'
import { domainZoneFile } from './domain-zone-file.ts'

const mailHost = 'mail.host.test'
const ourSpf = 'ip4:192.0.2.25'

let app: TestApp
let world: TestDns
let who: Who
beforeAll(async () => {
  world = await aDnsServer()
  const dns = openDns({
    servers: [world.address],
    port: world.port,
    allowLoopbackPeers: true,
    timeoutMs: 300,
  })
  app = await anApp({ dns, config: { mailHost, mailIps: ['192.0.2.25'] } })
  who = await aMember(app)
  world.zone('_spf.google.com')
  world.set('_spf.google.com', 'TXT', ['v=spf1 ip4:198.51.100.0/24 ~all'])
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const aName = () => `d${newId().slice(24)}.test`

/** A zone with a domain that was never checked. */
const added = async (label = '', by: Who = who) => {
  const zone = aName()
  world.zone(zone)
  const name = label === '' ? zone : `${label}.${zone}`
  const { _id: id } = await addDomain(app, by, { name })
  return { id, name, zone, workspaceId: by.workspaceId }
}

const linesOf = async (id: string): Promise<string[]> =>
  (await domainZoneFile(app, who, id)).content.split('\n')

test('the first who asks has DNS looked at; from then on only checks do', async () => {
  const { id, name, zone, workspaceId } = await added()
  world.set(name, 'MX', ['1 aspmx.l.google.com', '5 alt1.aspmx.l.google.com'])
  world.set(name, 'TXT', ['v=spf1 include:_spf.google.com ~all', 'some-other=text'])
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=reject'])
  const setting = await dnsSetting(app, who, id)
  expect(dnsSettingShape.parse(setting)).toEqual(setting)
  expect(setting).toMatchObject({
    zone,
    nameServers: [`ns1.${zone}`],
    provider: null,
    mail: {
      hosts: [
        { host: 'aspmx.l.google.com', priority: 1 },
        { host: 'alt1.aspmx.l.google.com', priority: 5 },
      ],
      service: 'Google Workspace',
      isOurs: false,
      hasNullMx: false,
    },
    spf: {
      found: ['v=spf1 include:_spf.google.com ~all'],
      services: ['Google Workspace'],
      merged: `v=spf1 include:_spf.google.com ${ourSpf} ~all`,
      added: ourSpf,
    },
    dmarc: { found: ['v=DMARC1; p=reject'], policy: 'reject', at: `_dmarc.${name}`, isKept: true },
    checkedAt: app.clock.now().toISOString(),
  })
  expect(setting.receiving.changes[0]).toContain('goes to Google Workspace now')

  world.set(name, 'MX', [`10 ${mailHost}`])
  const asked = world.queries.length
  expect(await dnsSetting(app, who, id)).toEqual(setting)
  expect(world.queries.length).toBe(asked)

  await checkDomain(app, { id, workspaceId }, 'ownership')
  expect(await dnsSetting(app, who, id)).toMatchObject({
    mail: { hosts: [{ host: mailHost, priority: 10 }], service: null, isOurs: true },
    spf: setting.spf,
    receiving: { changes: [] },
  })
})

test('a provider is known by the name servers of the zone, also for a subdomain', async () => {
  const { id, zone } = await added('mail')
  world.set(zone, 'NS', ['ns1.digitalocean.com', 'ns2.digitalocean.com'])
  world.set('ns1.digitalocean.com', 'A', ['127.0.0.1'])
  world.set('ns2.digitalocean.com', 'A', ['127.0.0.1'])
  expect(await dnsSetting(app, who, id)).toMatchObject({
    zone,
    nameServers: ['ns1.digitalocean.com', 'ns2.digitalocean.com'],
    provider: {
      name: 'DigitalOcean',
      url: `https://cloud.digitalocean.com/networking/domains/${zone}`,
    },
  })
  expect(await linesOf(id)).toContain(`$ORIGIN ${zone}.`)
})

test('a subdomain has the policy that its organisation wants for subdomains', async () => {
  const { id, zone } = await added('shop')
  world.set(`_dmarc.${zone}`, 'TXT', ['v=DMARC1; p=reject; sp=quarantine'])
  expect((await dnsSetting(app, who, id)).dmarc).toEqual({
    found: ['v=DMARC1; p=reject; sp=quarantine'],
    policy: 'quarantine',
    at: `_dmarc.${zone}`,
    isKept: true,
  })
})

test('of several DMARC records, or a broken one, none is kept', async () => {
  const { id, name, workspaceId } = await added()
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'])
  const none = { policy: null, at: null, isKept: false }
  expect((await dnsSetting(app, who, id)).dmarc).toMatchObject(none)
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=never'])
  await checkDomain(app, { id, workspaceId }, 'ownership')
  expect((await dnsSetting(app, who, id)).dmarc).toEqual({ found: ['v=DMARC1; p=never'], ...none })
})

test('servers that do not answer teach nothing, and take nothing away', async () => {
  const { id, name, zone, workspaceId } = await added()
  world.behave(zone, 'servfail')
  const unknown = { zone: null, nameServers: [], mail: null, spf: null, dmarc: null }
  expect(await dnsSetting(app, who, id)).toMatchObject({
    ...unknown,
    receiving: { changes: [] },
    checkedAt: app.clock.now().toISOString(),
  })
  // Whatever is there, loading the file does no harm.
  const active = (await linesOf(id)).filter((line) => / IN /.test(line) && !line.startsWith(';'))
  expect(active.map((line) => line.split(' ')[0]?.split('.').at(-1))).toEqual([
    '_mailstead',
    '_domainkey',
  ])
  world.behave(zone, null)
  world.set(name, 'MX', ['10 mx.zoho.eu'])
  await checkDomain(app, { id, workspaceId }, 'ownership')
  const known = await dnsSetting(app, who, id)
  expect(known).toMatchObject({ zone, mail: { service: 'Zoho Mail' }, spf: { found: [] } })

  app.clock.advance({ minutes: 1 })
  world.behave(zone, 'silent')
  await checkDomain(app, { id, workspaceId }, 'ownership')
  const { checkedAt, nextCheckAt: _next, ...rest } = known
  expect(await dnsSetting(app, who, id)).toMatchObject(rest)
  expect((await dnsSetting(app, who, id)).checkedAt).not.toBe(checkedAt)
  world.behave(zone, null)
})

test('a slow check that was asked earlier does not undo a later one', async () => {
  const { id, name, zone, workspaceId } = await added()
  world.set(name, 'MX', ['10 mx.old.example'])
  world.behave(zone, 'slow', 'authority')
  const early = checkDomain(app, { id, workspaceId }, 'ownership')
  await until(() => world.queries.some((query) => query.name === name && query.type === 'MX'))
  world.behave(zone, null)
  world.set(name, 'MX', ['10 mx.new.example'])
  app.clock.advance({ seconds: 5 })
  await checkDomain(app, { id, workspaceId }, 'ownership')
  await early
  expect((await dnsSetting(app, who, id)).mail?.hosts).toEqual([
    { host: 'mx.new.example', priority: 10 },
  ])
})

test('what strangers wrote in DNS is stored without controls, and never too long', async () => {
  const { id, name } = await added()
  world.set(name, 'TXT', [['v=spf1 \u0000\u202e<b>x</b> ~all']])
  world.set(name, 'MX', ['10 mx.<script>.example'])
  const { spf, mail } = await dnsSetting(app, who, id)
  expect(spf?.found).toEqual(['v=spf1 \ufffd\ufffd<b>x</b> ~all'])
  expect(mail?.hosts).toEqual([{ host: 'mx.<script>.example', priority: 10 }])
  for (const line of await linesOf(id)) expect(line).toMatch(/^[\x20-\x7e]*$/)
})

test('a zone file of a domain that has nothing holds every record', async () => {
  const { id, name } = await added()
  const lines = await linesOf(id)
  expect((await domainZoneFile(app, who, id)).filename).toBe(`${name}.zone`)
  expect(lines).toContain(`$ORIGIN ${name}.`)
  expect(lines).toContain(`@ 3600 IN TXT "v=spf1 ${ourSpf} ~all"`)
  expect(lines).toContain('_dmarc 3600 IN TXT "v=DMARC1; p=none"')
  expect(lines).toContain(`@ 3600 IN MX 10 ${mailHost}.`)
  expect(
    lines.filter((line) => /^_mailstead 3600 IN TXT "mailstead-verify=/.test(line)),
  ).toHaveLength(1)
  expect(
    lines.filter((line) => /^ms\d+\._domainkey 3600 IN TXT "v=DKIM1;.{240,}" "/.test(line)),
  ).toHaveLength(1)
})

test('a zone file never makes a second SPF record, a second policy, or moves mail', async () => {
  const { id, name, workspaceId } = await added()
  world.set(name, 'TXT', ['v=spf1 include:_spf.google.com -all'])
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=quarantine'])
  world.set(name, 'MX', ['1 smtp.google.com'])
  await checkDomain(app, { id, workspaceId }, 'ownership')
  const lines = await linesOf(id)
  expect(lines).toContain(`;@ 3600 IN TXT "v=spf1 include:_spf.google.com ${ourSpf} -all"`)
  expect(lines).toContain(';   now: v=spf1 include:_spf.google.com -all')
  expect(lines).toContain('_dmarc 3600 IN TXT "v=DMARC1; p=quarantine"')
  expect(lines).toContain(`;@ 3600 IN MX 10 ${mailHost}.`)
  expect(lines).toContain(
    '; Mail goes to Google Workspace now. To receive mail here, replace the present MX records with this one:',
  )
})

test('what is authorised stays in the proposed SPF also while nobody can evaluate it', async () => {
  const { id, name, workspaceId } = await added()
  world.zone('_spf.silent.test')
  world.behave('_spf.silent.test', 'servfail')
  world.set(name, 'TXT', ['v=spf1 include:_spf.silent.test -all'])
  await checkDomain(app, { id, workspaceId }, 'all')
  const records = await dnsRecords(app, who, id)
  expect(records.find(({ purpose }) => purpose === 'spf')).toMatchObject({
    state: 'unknown',
    value: `v=spf1 include:_spf.silent.test ${ourSpf} -all`,
  })
})

test('another workspace sees nothing of it, and a deleted domain leaves nothing', async () => {
  const { id } = await added()
  await dnsSetting(app, who, id)
  const stranger = await aMember(app)
  for (const other of [id, newId(), 'nonsense'])
    for (const read of [dnsSetting, domainZoneFile])
      await expect(read(app, stranger, other)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  await deleteDomain(app, who, id)
  const left = await app.db.selectFrom('domainSettings').where('domainId', '=', id).execute()
  expect(left).toEqual([])
})

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((done) => setImmediate(done))
}
