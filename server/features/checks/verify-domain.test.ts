import { createPublicKey } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DnsRecord, RecordPurpose } from '#contract/domains.ts'
import type { AppError } from '#contract/errors.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { signingKeysOf } from '#server/features/domains/domain-keys.ts'
import { findVerifiedDomain, getDomain } from '#server/features/domains/find-domain.ts'
import { listDomainHealth } from '#server/features/domains/list-health.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { getStats } from '#server/features/stats/stats.ts'
import type { RecordType } from '#server/lib/dns/dns.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { checkDomain } from './check-domain.ts'
import { recheckDueDomains } from './recheck-due-domains.ts'
import { verifyDns, verifyOwnership } from './verify-domain.ts'

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
  app = await anApp({ dns, config: { mailHost: 'mail.host.test', mailIps: ['192.0.2.25'] } })
  who = await aMember(app)
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const publish = (record: DnsRecord) =>
  world.set(record.name, record.type === 'MX' ? 'MX' : 'TXT', [
    record.type === 'MX' ? `${record.priority} ${record.value}` : record.value,
  ])

const aName = () => `d${newId().slice(24)}.test`

const added = async (by: Who = who, name = aName()) => {
  world.zone(name)
  return addDomain(app, by, { name })
}

const proven = async () => {
  const domain = await added()
  publish(await ownershipRecord(app, who, domain._id))
  await verifyOwnership(app, who, domain._id)
  return domain
}

const activated = async () => {
  const domain = await proven()
  for (const record of await dnsRecords(app, who, domain._id)) publish(record)
  await verifyDns(app, who, domain._id)
  return domain
}

const recordOf = async (id: string, purpose: RecordPurpose): Promise<DnsRecord> => {
  const records = [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))]
  const found = records.find((record) => record.purpose === purpose)
  if (!found) throw new Error(`no ${purpose} record`)
  return found
}

const errorOf = (work: Promise<unknown>): Promise<AppError | null> =>
  work.then(
    () => null,
    (error: AppError) => error,
  )

test('a domain goes from added over verified to active', async () => {
  const { _id: id, name } = await added()
  expect(await ownershipRecord(app, who, id)).toMatchObject({
    name: `_mailstead.${name}`,
    value: expect.stringMatching(/^mailstead-verify=[0-9a-f]{40}$/),
    type: 'TXT',
    ttl: 3600,
    isVerified: false,
    required: true,
    checkedAt: null,
  })
  expect((await errorOf(verifyDns(app, who, id)))?.type).toBe('DOMAIN_NOT_VERIFIED')

  expect(await verifyOwnership(app, who, id)).toMatchObject({
    state: 'waiting',
    isVerified: false,
    explanation: `There is no ownership record at _mailstead.${name} yet.`,
    checkedAt: app.clock.now().toISOString(),
  })
  expect(await findVerifiedDomain(app, name)).toBeNull()

  publish(await ownershipRecord(app, who, id))
  expect(await verifyOwnership(app, who, id)).toMatchObject({ isVerified: true, explanation: '' })
  expect(await getDomain(app, who, id)).toMatchObject({
    isVerified: true,
    status: 'inactive',
    requiredRecords: 4,
    verifiedRecords: 1,
    dnsStatus: 'Pending',
  })
  expect(await findVerifiedDomain(app, name)).toMatchObject({
    id,
    isActive: false,
    activatedAt: null,
  })

  const records = await dnsRecords(app, who, id)
  const [key] = await signingKeysOf(app, id)
  const publicKey = createPublicKey(key?.privateKeyPem ?? '')
    .export({ type: 'spki', format: 'der' })
    .toString('base64')
  expect(records).toMatchObject([
    { purpose: 'spf', name, value: 'v=spf1 ip4:192.0.2.25 ~all', required: true },
    {
      purpose: 'dkim',
      name: `${key?.selector}._domainkey.${name}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      required: true,
    },
    { purpose: 'dmarc', name: `_dmarc.${name}`, value: 'v=DMARC1; p=none', required: true },
    { purpose: 'mx', name, type: 'MX', value: 'mail.host.test', priority: 10, required: false },
  ])
  for (const record of records) if (record.required) publish(record)
  const checked = await verifyDns(app, who, id)
  expect(checked.map(({ isVerified }) => isVerified)).toEqual([true, true, true, false])
  expect(await getDomain(app, who, id)).toMatchObject({
    status: 'active',
    verifiedRecords: 4,
    dnsStatus: 'Verified',
  })
  expect(await findVerifiedDomain(app, name.toUpperCase())).toMatchObject({
    isActive: true,
    activatedAt: app.clock.now(),
  })
})

test('a record that breaks later shows at once, and takes nothing away from receiving or sending', async () => {
  const { _id: id, name } = await activated()
  const activatedAt = app.clock.now()
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=everything'])
  app.clock.advance({ minutes: 2 })
  await verifyDns(app, who, id)
  expect(await recordOf(id, 'dmarc')).toMatchObject({
    isVerified: null,
    state: 'different',
    found: ['v=DMARC1; p=everything'],
    fix: expect.stringContaining('value shown'),
  })
  expect(await getDomain(app, who, id)).toMatchObject({
    status: 'inactive',
    dnsStatus: 'Failed',
    isVerified: true,
  })
  expect(await findVerifiedDomain(app, name)).toMatchObject({ id, isActive: false, activatedAt })

  world.remove(`_dmarc.${name}`)
  await verifyDns(app, who, id)
  expect(await recordOf(id, 'dmarc')).toMatchObject({
    isVerified: false,
    state: 'waiting',
    found: [],
  })
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=reject; rua=mailto:x@example.com'])
  await verifyDns(app, who, id)
  expect(await recordOf(id, 'dmarc')).toMatchObject({
    isVerified: true,
    value: 'v=DMARC1; p=reject; rua=mailto:x@example.com',
  })
  expect(await findVerifiedDomain(app, name)).toMatchObject({ isActive: true, activatedAt })
})

test.each(['servfail', 'refused', 'silent', 'garbage'] as const)(
  'DNS trouble (%s) changes no state, and is said',
  async (behaviour) => {
    const { _id: id, name } = await activated()
    world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=everything'])
    await verifyDns(app, who, id)
    world.behave(name, behaviour)
    app.clock.advance({ minutes: 2 })
    const records = await verifyDns(app, who, id)
    expect(records.map(({ state }) => state)).toEqual([
      'verified',
      'verified',
      'different',
      'verified',
    ])
    for (const record of records)
      expect(record).toMatchObject({
        explanation: expect.stringMatching(/^This record could not be checked: .+\.$/),
        checkedAt: app.clock.now().toISOString(),
      })
    expect(records[2]?.found).toEqual(['v=DMARC1; p=everything'])
    expect(await verifyOwnership(app, who, id)).toMatchObject({ isVerified: true })
    expect(await getDomain(app, who, id)).toMatchObject({ isVerified: true, dnsStatus: 'Failed' })

    world.behave(name, null)
    const again = await verifyDns(app, who, id)
    expect(again[0]).toMatchObject({ state: 'verified', explanation: '' })
  },
)

test('name servers that repeatedly give no answer: the last state stays, and is not shown as right', async () => {
  const { _id: id } = await activated()
  const rightAt = app.clock.now().toISOString()
  const { name: dkimName } = await recordOf(id, 'dkim')
  world.behave(dkimName, 'servfail')
  app.clock.advance({ minutes: 2 })
  const since = app.clock.now().toISOString()
  await verifyDns(app, who, id)
  // One check may meet a hiccup.
  const known = { status: 'active', dnsStatus: 'Verified' }
  expect(await getDomain(app, who, id)).toMatchObject({
    ...{ ...known, needsWork: false, uncheckedSince: null },
  })
  app.clock.advance({ minutes: 5 })
  await verifyDns(app, who, id)
  expect(await getDomain(app, who, id)).toMatchObject({
    ...{ ...known, needsWork: true, uncheckedSince: since },
  })
  const dkim = await recordOf(id, 'dkim')
  expect(dkim).toMatchObject({ state: 'verified', verifiedAt: rightAt, uncheckedSince: since })
  expect(dkim.explanation).toMatch(/ns\S+ \(127\.0\.0\.1:\d+\) answered SERVFAIL/)
  const [health] = await listDomainHealth(app, who, [id])
  expect(health?.records.map(({ isToDo }) => isToDo)).toEqual([false, false, true, false, false])
  expect((await getStats(app, who)).domains.needWork).toBeGreaterThan(0)

  world.behave(dkimName, null)
  app.clock.advance({ minutes: 5 })
  await verifyDns(app, who, id)
  expect(await getDomain(app, who, id)).toMatchObject({
    ...{ ...known, needsWork: false, uncheckedSince: null },
  })
})

test('a domain that was never answered needs work, and does not look right', async () => {
  const { _id: id, name } = await added()
  world.behave(name, 'silent')
  await verifyOwnership(app, who, id)
  app.clock.advance({ minutes: 5 })
  const { checkedAt } = await verifyOwnership(app, who, id)
  expect(checkedAt).toBe(app.clock.now().toISOString())
  const { uncheckedSince, ...domain } = await getDomain(app, who, id)
  expect(domain).toMatchObject({ status: 'inactive', dnsStatus: 'Pending', needsWork: true })
  expect(uncheckedSince).not.toBeNull()
})

test('MX is needed once the domain has mailboxes', async () => {
  const { _id: id, name } = await activated()
  world.set(name, 'MX', ['10 mx.elsewhere.test'])
  app.clock.advance({ minutes: 2 })
  await verifyDns(app, who, id)
  const work = async () => {
    const [health] = await listDomainHealth(app, who, [id])
    const toDo = health?.records.filter(({ isToDo }) => isToDo).map(({ purpose }) => purpose)
    return [(await getDomain(app, who, id)).needsWork, toDo]
  }
  expect(await work()).toEqual([false, []])
  await aMailbox(app, { domain: await domainRow(id) })
  expect(await work()).toEqual([true, ['mx']])
})

const domainRow = (id: string) =>
  app.db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a first check that learns nothing leaves the record pending', async () => {
  const { _id: id, name } = await added()
  world.behave(name, 'servfail')
  expect(await verifyOwnership(app, who, id)).toMatchObject({ state: 'unknown', isVerified: false })
  world.behave(name, null)
  expect(await verifyOwnership(app, who, id)).toMatchObject({ state: 'waiting', isVerified: false })
})

test('what is published already counts as soon as ownership is proven, all of it', async () => {
  const { _id: id } = await added()
  for (const record of [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))])
    publish(record)
  await verifyOwnership(app, who, id)
  for (const record of await dnsRecords(app, who, id))
    expect(record).toMatchObject({
      state: 'verified',
      explanation: '',
      checkedAt: app.clock.now().toISOString(),
    })
  expect(await getDomain(app, who, id)).toMatchObject({ status: 'active' })
})

test('a look-up that learns nothing says so, and is made again soon', async () => {
  const { _id: id, name } = await added()
  for (const record of [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))])
    publish(record)
  const { name: dkimName } = await recordOf(id, 'dkim')
  world.behave(dkimName, 'servfail')
  await verifyOwnership(app, who, id)
  const dkim = await recordOf(id, 'dkim')
  expect(dkim).toMatchObject({
    state: 'unknown',
    isVerified: false,
    explanation: expect.stringMatching(
      new RegExp(
        `^This record could not be checked: the name servers of ${name} did not answer \\(.*SERVFAIL.*\\)\\.$`,
      ),
    ),
    checkedAt: app.clock.now().toISOString(),
  })
  expect(await recordOf(id, 'mx')).toMatchObject({ state: 'verified' })
  const waits = Date.parse(dkim.nextCheckAt ?? '') - app.clock.now().getTime()
  expect(waits).toBe(15_000)

  world.behave(dkimName, null)
  app.clock.advance({ seconds: 16 })
  await recheckDueDomains(app)
  expect(await recordOf(id, 'dkim')).toMatchObject({ state: 'verified', explanation: '' })
  expect(await getDomain(app, who, id)).toMatchObject({ status: 'active' })
})

test('what each server said is kept, also when that was nothing', async () => {
  const { _id: id, name } = await proven()
  const sightings = async () => {
    const row = await app.db
      .selectFrom('domainRecords')
      .select('sightings')
      .where('domainId', '=', id)
      .where('purpose', '=', 'ownership')
      .executeTakeFirstOrThrow()
    return row.sightings
  }
  const { value } = await ownershipRecord(app, who, id)
  expect(await sightings()).toEqual({
    zone: name,
    published: [
      {
        server: `ns1.${name}`,
        state: 'verified',
        values: [value],
        reason: '',
        latencyMs: expect.any(Number),
        ttlSeconds: 300,
      },
    ],
    visible: [expect.objectContaining({ server: world.address, state: 'verified' })],
  })
  world.behave(name, 'refused', 'authority')
  await verifyOwnership(app, who, id)
  expect(await sightings()).toMatchObject({
    published: [{ state: 'unknown', reason: `${world.address} answered REFUSED`, values: [] }],
    visible: [{ state: 'verified' }],
  })
})

test('an ownership record that vanishes shows, while the domain stays verified', async () => {
  const { _id: id, name } = await activated()
  world.remove(`_mailstead.${name}`)
  expect(await verifyOwnership(app, who, id)).toMatchObject({ isVerified: false, state: 'waiting' })
  expect(await getDomain(app, who, id)).toMatchObject({ isVerified: true, status: 'inactive' })
  expect(await findVerifiedDomain(app, name)).toMatchObject({ id })
})

test('the token counts among other TXT records and in pieces; another token does not', async () => {
  const { _id: id, name } = await added()
  const { value } = await ownershipRecord(app, who, id)
  world.set(`_mailstead.${name}`, 'TXT', ['v=spf1 -all', `${value}0`])
  expect(await verifyOwnership(app, who, id)).toMatchObject({
    state: 'different',
    isVerified: null,
  })
  world.set(`_mailstead.${name}`, 'TXT', ['v=spf1 -all', [value.slice(0, 20), value.slice(20)]])
  expect(await verifyOwnership(app, who, id)).toMatchObject({ isVerified: true })
})

test('the proposed SPF record keeps what is there, and is not called wrong before it was asked for', async () => {
  const domain = await added()
  const present = 'v=spf1 include:news.test ip4:198.51.100.0/24 -all'
  world.set(domain.name, 'TXT', ['unrelated', present])
  world.set('news.test', 'TXT', ['v=spf1 ip4:203.0.113.7 -all'])
  world.set(`_dmarc.${domain.name}`, 'TXT', ['v=DMARC1; p=reject'])
  publish(await ownershipRecord(app, who, domain._id))
  await verifyOwnership(app, who, domain._id)
  const merged = 'v=spf1 include:news.test ip4:198.51.100.0/24 ip4:192.0.2.25 -all'
  expect(await recordOf(domain._id, 'spf')).toMatchObject({
    value: merged,
    found: [present],
    isVerified: false,
    explanation: '',
    checkedAt: null,
  })
  expect(await recordOf(domain._id, 'dmarc')).toMatchObject({
    value: 'v=DMARC1; p=reject',
    isVerified: true,
  })
  await verifyDns(app, who, domain._id)
  expect(await recordOf(domain._id, 'spf')).toMatchObject({
    isVerified: null,
    state: 'different',
    value: merged,
  })
  world.set(domain.name, 'TXT', [merged])
  await verifyDns(app, who, domain._id)
  expect(await recordOf(domain._id, 'spf')).toMatchObject({ isVerified: true, value: merged })
  world.set(domain.name, 'TXT', [merged, 'v=spf1 -all'])
  await verifyDns(app, who, domain._id)
  expect(await recordOf(domain._id, 'spf')).toMatchObject({ isVerified: null, state: 'conflict' })
})

test("a resolver's old answer does not hide what the zone says now", async () => {
  const { _id: id } = await added()
  const record = await ownershipRecord(app, who, id)
  world.setCached(record.name, 'TXT', [])
  publish(record)
  expect(await verifyOwnership(app, who, id)).toMatchObject({ isVerified: true })
})

test('aliases are followed, and hostile text in DNS is stored harmlessly', async () => {
  const { _id: id, name } = await proven()
  const dkim = await recordOf(id, 'dkim')
  world.set(dkim.name, 'CNAME', [`key.of.${name}`])
  world.set(`key.of.${name}`, 'TXT', [dkim.value])
  world.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=none; x=\0\u202e<script>'])
  world.set(name, 'TXT', [`v=spf1 x=\0 ${'y'.repeat(3000)}\0 -all`])
  world.set(name, 'MX', ['0 .'])
  const records = await verifyDns(app, who, id)
  expect(records.map(({ state }) => state)).toEqual([
    'different',
    'verified',
    'verified',
    'different',
  ])
  expect(JSON.stringify(records)).not.toContain('\\u0000')
  expect(records[0]?.explanation.length).toBeLessThan(1100)
})

test('of two workspaces that verify one name at once, one holds it', async () => {
  for (let round = 0; round < 5; round++) {
    const name = aName()
    const people = [await aMember(app), await aMember(app)]
    const domains = await Promise.all(people.map((person) => added(person, name)))
    const values = []
    for (const [at, person] of people.entries())
      values.push((await ownershipRecord(app, person, domains[at]?._id ?? '')).value)
    world.set(`_mailstead.${name}`, 'TXT', values)
    const outcomes = await Promise.all(
      people.map((person, at) => verifyOwnership(app, person, domains[at]?._id ?? '')),
    )
    const winner = outcomes.findIndex(({ isVerified }) => isVerified === true)
    expect(outcomes[1 - winner]).toMatchObject({ isVerified: false, state: 'waiting' })
    const holders = await app.db
      .selectFrom('domains')
      .select('workspaceId')
      .where('name', '=', name)
      .where('isVerified', '=', true)
      .execute()
    expect(holders).toEqual([{ workspaceId: people[winner]?.workspaceId }])

    const loser = people[1 - winner]
    const lost = domains[1 - winner]?._id ?? ''
    if (!loser) throw new Error('nobody lost')
    expect(await ownershipRecord(app, loser, lost)).toMatchObject({
      isVerified: false,
      explanation: 'Your record is right, but another workspace holds this domain.',
    })
    const holder = people[winner]
    if (holder) await deleteDomain(app, holder, domains[winner]?._id ?? '')
    expect(await verifyOwnership(app, loser, lost)).toMatchObject({ isVerified: true })
  }
})

test('verifying is limited per domain and per workspace', async () => {
  const person = await aMember(app)
  const domain = await added(person)
  for (let at = 0; at < 10; at++) await verifyOwnership(app, person, domain._id)
  expect(await errorOf(verifyOwnership(app, person, domain._id))).toMatchObject({
    type: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 60,
  })
  await verifyOwnership(app, person, (await added(person))._id)
  app.clock.advance({ minutes: 1, seconds: 1 })
  await verifyOwnership(app, person, domain._id)
})

test('foreign, random and malformed ids are not there, and cost nobody a try', async () => {
  const stranger = await aMember(app)
  const { _id: id } = await activated()
  for (const call of [
    verifyOwnership,
    verifyDns,
    ownershipRecord,
    dnsRecords,
    getDomain,
    deleteDomain,
  ])
    for (const [person, wanted] of [
      [stranger, id],
      [who, newId()],
      [who, "x' or 1=1"],
    ] as const)
      expect(await errorOf(call(app, person, wanted))).toMatchObject({
        type: 'NOT_EXISTS',
        message: 'Not found',
      })
  expect(await getDomain(app, who, id)).toMatchObject({ status: 'active' })
})

test('a look-up that takes too long leaves its own record unknown, and holds up no other', async () => {
  const { _id: id, name } = await activated()
  const slow = {
    ...app.dns,
    observe: (at: string, type: RecordType) =>
      at === `_dmarc.${name}` ? new Promise<never>(() => {}) : app.dns.observe(at, type),
  }
  app.clock.advance({ minutes: 1 })
  await checkDomain({ ...app, dns: slow }, { id, workspaceId: who.workspaceId }, 'all', {
    limitMs: 500,
  })
  const records = await dnsRecords(app, who, id)
  const checkedAt = app.clock.now().toISOString()
  expect(records).toMatchObject([
    { state: 'verified', checkedAt, explanation: '' },
    { state: 'verified', checkedAt, explanation: '' },
    { state: 'verified', checkedAt, explanation: expect.stringContaining('took too long') },
    { state: 'verified', checkedAt, explanation: '' },
  ])
})
