import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DnsRecord } from '#contract/domains.ts'
import { storePreferences } from '#server/features/accounts/preferences/preference-queries.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aUser } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { checkDomain } from './check-domain.ts'
import { mailDomainAlerts } from './mail-alerts.ts'
import { recheckDueDomains } from './recheck-due-domains.ts'

let app: TestApp
let world: TestDns
let other: TestDns
let who: Who
let admin: string
beforeEach(async () => {
  world = await aDnsServer()
  other = await aDnsServer({ host: '127.0.0.2', port: world.port })
  app = await anApp({ dns: dnsOf(world) })
  who = await aMember(app)
  const { email } = await app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', who.userId)
    .executeTakeFirstOrThrow()
  admin = email
})
afterEach(async () => {
  await app.close()
  await Promise.all([world.close(), other.close()])
})

const dnsOf = (...servers: TestDns[]) =>
  openDns({
    servers: servers.map(({ address }) => address),
    port: world.port,
    allowLoopbackPeers: true,
  })

const publish = (record: DnsRecord) => {
  const { name, type, priority, value } = record
  for (const dns of [world, other])
    dns.set(name, type === 'MX' ? 'MX' : 'TXT', [type === 'MX' ? `${priority} ${value}` : value])
}

const check = (id: string) => checkDomain(app, { id, workspaceId: who.workspaceId }, 'all')

const recordsOf = async (id: string) => [
  await ownershipRecord(app, who, id),
  ...(await dnsRecords(app, who, id)),
]

const anActive = async (name: string) => {
  for (const dns of [world, other]) dns.zone(name)
  const { _id: id } = await addDomain(app, who, { name })
  for (const record of await recordsOf(id)) publish(record)
  await check(id)
  expect((await getDomain(app, who, id)).status).toBe('active')
  const dkim = (await recordsOf(id)).find(({ purpose }) => purpose === 'dkim')
  if (!dkim) throw new Error('no DKIM record')
  return { id, dkim }
}

/** What the worker would do, so many times so far apart. Answers the subjects of the mails that came. */
const goOn = async (times: number, apart: { minutes?: number; hours?: number }) => {
  const before = (await listHeldMails(app)).length
  for (let n = 0; n < times; n++) {
    app.clock.advance(apart)
    await recheckDueDomains(app)
    await mailDomainAlerts(app)
  }
  const mails = await listHeldMails(app)
  return mails
    .slice(0, mails.length - before)
    .map(({ subject }) => subject)
    .reverse()
}

test('a record that breaks is told once to the Admins who want it, and once that it is right again', async () => {
  const second = await aUser(app)
  const editor = await aUser(app)
  const third = await aUser(app)
  await storePreferences(
    app.db,
    third.id,
    { timeZone: '', timeFormat: '', dateFormat: '', wantsDnsMails: false },
    app.clock.now(),
  )
  for (const [{ id: userId }, role] of [
    [second, 'Admin'],
    [third, 'Admin'],
    [editor, 'Editor'],
  ] as const)
    await app.db
      .insertInto('members')
      .values({ workspaceId: who.workspaceId, userId, role, createdAt: app.clock.now() })
      .execute()
  const { id, dkim } = await anActive('broken.test')
  expect(await goOn(1, { hours: 7 })).toEqual([])

  world.remove(dkim.name)
  app.clock.advance({ hours: 7 })
  await recheckDueDomains(app)
  // It shows at once, but it is one check, and so are those of the next minutes.
  expect((await getDomain(app, who, id)).status).toBe('inactive')
  expect(await goOn(3, { minutes: 3 })).toEqual([])
  const subject = 'DNS of broken.test needs attention'
  expect(await goOn(5, { minutes: 12 })).toEqual([subject, subject])
  const mails = await listHeldMails(app)
  expect(mails.map(({ to }) => to).toSorted()).toEqual([admin, second.email].toSorted())
  const [mail] = mails
  expect(mail?.text).toContain(
    `The DKIM record of broken.test: There is no DKIM key at ${dkim.name} any more. Found at ${dkim.name} (TXT): nothing.`,
  )
  const host = dkim.name.replace('.broken.test', '')
  expect(mail?.text).toContain(
    `Add a TXT record at ${dkim.name} (host ${host}) with the value below.`,
  )
  expect(mail?.text).toContain(dkim.value)
  expect(mail?.link).toBe(`http://localhost:8080/dashboard/domains/${id}`)
  expect(mail?.html).toContain('The DKIM record of broken.test')
  const { blob } = await app.db
    .selectFrom('outboxMessages')
    .select('blob')
    .executeTakeFirstOrThrow()
  const raw = (await app.blobs.get(blob)).toString('latin1')
  expect(raw).toMatch(/Content-Transfer-Encoding: (7bit|quoted-printable)/)
  expect([...raw].every((letter) => letter <= '~')).toBe(true)

  expect(await goOn(4, { hours: 12 })).toEqual([])
  publish(dkim)
  const mended = 'DNS of broken.test is right again'
  expect(await goOn(3, { hours: 4 })).toEqual([mended, mended])
  expect((await listHeldMails(app))[0]?.text).toContain('the DKIM record of broken.test')
  expect(await goOn(2, { hours: 12 })).toEqual([])

  // Another time is another incident.
  world.remove(dkim.name)
  expect(await goOn(7, { hours: 4 })).toEqual([subject, subject])
})

test('two failures in a row are told to nobody, the third is', async () => {
  const { id, dkim } = await anActive('third.test')
  const mailsAfterLook = async () => {
    await check(id)
    // For what else fails at the same time it waits 10 minutes.
    app.clock.advance({ minutes: 12 })
    await mailDomainAlerts(app)
    return (await listHeldMails(app)).length
  }
  world.remove(dkim.name)
  expect([await mailsAfterLook(), await mailsAfterLook()]).toEqual([0, 0])
  // What was right between them counts anew.
  publish(dkim)
  expect(await mailsAfterLook()).toBe(0)
  world.remove(dkim.name)
  expect([await mailsAfterLook(), await mailsAfterLook(), await mailsAfterLook()]).toEqual([
    0, 0, 1,
  ])
})

test('what is only seen once, cannot be looked up, or is seen by one server alone, is told to nobody', async () => {
  const { id, dkim } = await anActive('calm.test')
  world.remove(dkim.name)
  app.clock.advance({ hours: 7 })
  await recheckDueDomains(app)
  publish(dkim)
  expect(await goOn(4, { hours: 8 })).toEqual([])

  for (const behaviour of ['servfail', 'refused', 'bogus'] as const) {
    world.behave('calm.test', behaviour)
    expect(await goOn(4, { hours: 8 })).toEqual([])
    expect((await getDomain(app, who, id)).status).toBe('active')
  }
  world.behave('calm.test', null)

  world.remove(dkim.name)
  world.behave('calm.test', 'servfail', 'resolver')
  expect(await goOn(4, { hours: 8 })).toEqual([])
  world.behave('calm.test', null)
  world.behave('calm.test', 'servfail', 'authority')
  expect(await goOn(4, { hours: 8 })).toEqual([])

  // Two resolvers agree, while no server of the zone says anything.
  other.remove(dkim.name)
  app.dns = dnsOf(world, other)
  expect(await goOn(5, { hours: 8 })).toEqual(['DNS of calm.test needs attention'])
})

test('a domain that was never proven, and one that is gone, are told of to nobody', async () => {
  world.zone('unproven.test')
  const { _id: id } = await addDomain(app, who, { name: 'unproven.test' })
  for (const record of await dnsRecords(app, who, id)) publish(record)
  await check(id)
  const gone = await anActive('gone.test')
  for (const name of ['unproven.test', 'gone.test'])
    for (const at of [name, `_dmarc.${name}`]) world.remove(at, 'TXT')
  for (let n = 0; n < 3; n++) {
    app.clock.advance({ hours: 7 })
    await check(id)
    await check(gone.id)
  }
  await deleteDomain(app, who, gone.id)
  expect(await goOn(3, { hours: 1 })).toEqual([])
})

test('many domains that fail at once share one mail, however many processes send it', async () => {
  const { id: first } = await anActive('d0.test')
  const { db } = app
  const read = (table: 'domainRecords' | 'domainKeys') =>
    db.selectFrom(table).selectAll().where('domainId', '=', first).execute()
  const [records, keys] = [await read('domainRecords'), await read('domainKeys')]
  for (let n = 1; n < 5; n++) {
    const name = `d${n}.test`
    world.zone(name)
    const { workspaceId } = who
    const { id: domainId } = await aDomain(app, { workspaceId, name, active: true })
    const copies = records.map((record) => ({
      ...record,
      domainId,
      name: record.name.replace('d0.test', name),
      found: JSON.stringify(record.found),
      sightings: null,
    }))
    await db.insertInto('domainRecords').values(copies).execute()
    const theirs = keys.map((key) => ({ ...key, domainId, id: newId() }))
    await db.insertInto('domainKeys').values(theirs).execute()
  }
  const bob = await aMember(app)
  for (const { name, type } of records) world.remove(name, type === 'MX' ? 'MX' : 'TXT')
  for (const minutes of [7 * 60, 12, 12]) {
    app.clock.advance({ minutes })
    await recheckDueDomains(app)
  }
  app.clock.advance({ minutes: 12 })
  const counts = await Promise.all([1, 2, 3].map(() => mailDomainAlerts(app)))
  expect(counts.toSorted()).toEqual([0, 0, 1])
  const mails = await listHeldMails(app)
  expect(mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
    { to: admin, subject: 'DNS of 5 domains needs attention' },
  ])
  expect(mails[0]?.link).toBe('http://localhost:8080/dashboard/domains')
  expect(bob.workspaceId).not.toBe(who.workspaceId)
  expect(await goOn(2, { hours: 1 })).toEqual([])
})
