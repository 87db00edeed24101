/** The second DKIM key of a domain: asked for, published, checked, and only then signed with. */
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkDomain } from '#server/features/checks/check-domain.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { addDomain } from './add-domain.ts'
import { dnsRecords, makeMissing, optionalRecords, ownershipRecord } from './dns-records.ts'
import { signingKeysOf } from './domain-keys.ts'
import { getDomain } from './find-domain.ts'

let app: TestApp
let dns: TestDns
let who: Who
let id: string
let count = 0
beforeAll(async () => {
  dns = await aDnsServer()
  app = await anApp({
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port },
      ...{ allowLoopbackPeers: true, timeoutMs: 10_000 },
    }),
    config: { mailHost: 'mail.host.test', mailIps: ['192.0.2.25'] },
  })
  who = await aMember(app)
})
afterAll(async () => {
  await app.close()
  await dns.close()
})
beforeEach(async () => {
  const name = `second${count++}.test`
  dns.zone(name)
  const { _id } = await addDomain(app, who, { name })
  id = _id
  for (const record of [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))])
    publish(record)
  await check()
})

const publish = ({ name, type, value, priority }: Awaited<ReturnType<typeof ownershipRecord>>) =>
  dns.set(name, type, [priority === null ? value : `${priority} ${value}`])
const check = () => {
  app.clock.advance({ seconds: 1 })
  return checkDomain(app, { id, workspaceId: who.workspaceId }, 'all')
}
const secondKey = async () => {
  const records = await optionalRecords(app, who, id)
  const [record, ...others] = records.filter(({ purpose }) => purpose === 'dkim-ed25519')
  if (!record || others.length > 0) throw new Error('one second key')
  return record
}
const algorithms = async () => (await signingKeysOf(app, id)).map(({ algorithm }) => algorithm)

test('it is made once, also when two ask at the same moment', async () => {
  const [one, two] = await Promise.all([secondKey(), secondKey()])
  expect(one.value).toBe(two.value)
  expect(one.value).toMatch(/^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/)
  expect(one).toMatchObject({ required: false, purpose: 'dkim-ed25519', isVerified: false })
  await expect(optionalRecords(app, await aMember(app), id)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
})

test('a domain that has one optional record gets the next kind, and keeps the one it has', async () => {
  const { value } = await secondKey()
  // DMARC stands for a kind that came after the domain.
  const kinds = ['dkim-ed25519', 'dmarc'] as const
  await app.db
    .deleteFrom('domainRecords')
    .where('domainId', '=', id)
    .where('purpose', '=', 'dmarc')
    .execute()
  const place = { workspaceId: who.workspaceId, domainId: id }
  await Promise.all([makeMissing(app, place, kinds), makeMissing(app, place, kinds)])
  const made = (await dnsRecords(app, who, id)).find(({ purpose }) => purpose === 'dmarc')
  expect(made).toMatchObject({ value: 'v=DMARC1; p=none', state: 'waiting', checkedAt: null })
  expect((await secondKey()).value).toBe(value)
  await check()
  expect((await dnsRecords(app, who, id)).find(({ purpose }) => purpose === 'dmarc')?.state).toBe(
    'verified',
  )
})

test('it is no part of the list, of the counts, or of what makes a domain active', async () => {
  const before = await dnsRecords(app, who, id)
  await secondKey()
  await check()
  expect((await dnsRecords(app, who, id)).map(({ purpose }) => purpose)).toEqual(
    before.map(({ purpose }) => purpose),
  )
  expect(await getDomain(app, who, id)).toMatchObject({
    ...{ status: 'active', requiredRecords: 4, verifiedRecords: 4, dnsStatus: 'Verified' },
  })
})

test('mail is signed with both keys while its record is right, and with the first alone otherwise', async () => {
  const record = await secondKey()
  await check()
  expect((await secondKey()).state).toBe('waiting')
  expect(await algorithms()).toEqual(['rsa'])

  publish(record)
  await check()
  expect((await secondKey()).state).toBe('verified')
  expect(await algorithms()).toEqual(['rsa', 'ed25519'])
  const { name } = await getDomain(app, who, id)
  const raw = dkimSign(
    Buffer.from(`From: a@${name}\r\nTo: b@example.net\r\nSubject: Hi\r\n\r\nHello\r\n`),
    ...([name, await signingKeysOf(app, id), app.clock.now()] as const),
  )
  const { results } = await dkimVerify(raw, {
    resolver: async (at: string, type: string) => (await app.dns.resolve(at, type)) as string[][],
  })
  expect(results.map(({ status, algo }) => [algo, status.result]).sort()).toEqual([
    ['ed25519-sha256', 'pass'],
    ['rsa-sha256', 'pass'],
  ])

  // DNS that does not answer says nothing about it.
  dns.behave(name, 'servfail')
  await check()
  expect(await algorithms()).toEqual(['rsa', 'ed25519'])
  dns.behave(name, null)
  dns.set(record.name, 'TXT', ['v=DKIM1; k=ed25519; p='])
  await check()
  expect((await secondKey()).state).toBe('different')
  expect(await algorithms()).toEqual(['rsa'])
})

test.each([
  ['as an RSA key', (value: string) => value.replace('k=ed25519', 'k=rsa'), /other tags forbid/],
  ['without what comes before it', (value: string) => value.replace(/^.*p=/, ''), /k=ed25519; p=/],
])('published %s it is wrong, and says why', async (_how, changed, words) => {
  const record = await secondKey()
  dns.set(record.name, 'TXT', [changed(record.value)])
  await check()
  const { state, explanation } = await secondKey()
  expect(state).toBe('different')
  expect(explanation).toMatch(words)
})
