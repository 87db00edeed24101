import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppError } from '#contract/errors.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { newId } from '#server/lib/ids.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { addDomain } from './add-domain.ts'
import { dnsRecords, ownershipRecord } from './dns-records.ts'
import { signingKeysOf } from './domain-keys.ts'
import { getDomain, listDomains } from './find-domain.ts'

// The app's DNS answers nothing at all: adding needs no answer.
let app: TestApp
beforeAll(async () => {
  app = await anApp({ config: { mailHost: 'mail.host.test', mailIps: [] } })
})
afterAll(() => app.close())

const errorOf = (work: Promise<unknown>): Promise<AppError | null> =>
  work.then(
    () => null,
    (error: AppError) => error,
  )

test('a domain is added without DNS, with an SPF value that is right for any address of ours', async () => {
  const who = await aMember(app)
  const domain = await addDomain(app, who, { name: 'bücher.test' })
  expect(domain).toEqual({
    _id: expect.any(String),
    name: 'xn--bcher-kva.test',
    unicodeName: 'bücher.test',
    isVerified: false,
    status: 'inactive',
    requiredRecords: 4,
    verifiedRecords: 0,
    catchAll: null,
    dnsStatus: 'Pending',
    needsWork: true,
    uncheckedSince: null,
    mailboxes: 0,
    createdAt: app.clock.now().toISOString(),
  })
  const [spf] = await dnsRecords(app, who, domain._id)
  expect(spf?.value).toBe('v=spf1 a:mail.host.test ~all')
})

test('SPF authorises as the settings say', async () => {
  const who = await aMember(app)
  const spfWith = async (config: Partial<TestApp['config']>) => {
    const other = { ...app, config: { ...app.config, ...config } }
    const { _id: id } = await addDomain(other, who, { name: `a${newId()}.test` })
    return (await dnsRecords(other, who, id))[0]?.value
  }
  expect(await spfWith({ mailIps: ['192.0.2.1', '2001:db8::1'] })).toBe(
    'v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 ~all',
  )
  expect(await spfWith({ spfInclude: 'spf.host.test' })).toBe('v=spf1 include:spf.host.test ~all')
  expect(await spfWith({ mailHost: 'localhost' })).toBe('v=spf1 ip4:127.0.0.1 ~all')
})

test('tokens, keys and selectors are new each time, and private keys are stored sealed', async () => {
  const who = await aMember(app)
  const first = await addDomain(app, who, { name: 'again.test' })
  const before = await ownershipRecord(app, who, first._id)
  const [key] = await signingKeysOf(app, first._id)
  await deleteDomain(app, who, first._id)
  const second = await addDomain(app, who, { name: 'again.test' })
  expect((await ownershipRecord(app, who, second._id)).value).not.toBe(before.value)
  const [newKey] = await signingKeysOf(app, second._id)
  expect(newKey?.privateKeyPem).toContain('BEGIN PRIVATE KEY')
  expect(newKey?.privateKeyPem).not.toBe(key?.privateKeyPem)
  const rows = await app.db.selectFrom('domainKeys').select('privateKeySealed').execute()
  expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY')
  expect(await signingKeysOf(app, first._id)).toEqual([])
})

test('a workspace adds a name once, also at the same moment; others may claim it too', async () => {
  const [who, other] = [await aMember(app), await aMember(app)]
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => errorOf(addDomain(app, who, { name: 'once.test' }))),
  )
  expect(outcomes.filter((error) => error === null)).toHaveLength(1)
  expect(outcomes.filter((error) => error?.type === 'DOMAIN_EXISTS')).toHaveLength(2)
  await addDomain(app, other, { name: 'once.test' })
})

test.each([
  ['127.0.0.1', 'not an IP address'],
  ['co.uk', 'public suffix'],
  ['printer.local', 'reserved'],
  ['xn--a.com', 'Invalid domain format'],
])('%s is refused', async (name, reason) => {
  const who = await aMember(app)
  expect(await errorOf(addDomain(app, who, { name }))).toMatchObject({
    type: 'VALIDATION',
    data: { name: expect.stringContaining(reason) },
  })
  expect(await listDomains(app, who)).toEqual([])
})

test('names of tests are refused where the installation is none', async () => {
  const real = { ...app, config: { ...app.config, allowLoopbackPeers: false } }
  const who = await aMember(app)
  expect(await errorOf(addDomain(real, who, { name: 'a.test' }))).toMatchObject({
    type: 'VALIDATION',
  })
})

test('adding is limited to 100 a minute and workspace', async () => {
  const who = await aMember(app)
  await app.db
    .insertInto('throttles')
    .values({
      key: `add-domain:${who.workspaceId}`,
      count: 99,
      windowEndsAt: new Date(app.clock.now().getTime() + 60_000),
    })
    .execute()
  await addDomain(app, who, { name: 'hundredth.test' })
  expect(await errorOf(addDomain(app, who, { name: 'next.test' }))).toMatchObject({
    type: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 60,
  })
})

test('the list is of this workspace, newest first, with its counts', async () => {
  const [who, other] = [await aMember(app), await aMember(app)]
  const old = await aDomain(app, {
    workspaceId: who.workspaceId,
    active: true,
    createdAt: new Date(0),
  })
  await aMailbox(app, { domain: old })
  await aMailbox(app, { domain: old, status: 'suspended' })
  const young = await addDomain(app, who, { name: 'young.test' })
  await addDomain(app, other, { name: 'foreign.test' })
  await app.db
    .updateTable('domainRecords')
    .set({ state: 'different' })
    .where('domainId', '=', young._id)
    .where('purpose', '=', 'mx')
    .execute()
  expect(await listDomains(app, who)).toMatchObject([
    { _id: young._id, dnsStatus: 'Pending', mailboxes: 0, requiredRecords: 4 },
    { _id: old.id, status: 'active', mailboxes: 2 },
  ])
  await app.db
    .updateTable('domainRecords')
    .set({ state: 'conflict' })
    .where('domainId', '=', young._id)
    .where('purpose', '=', 'spf')
    .execute()
  expect((await getDomain(app, who, young._id)).dnsStatus).toBe('Failed')
})

test('deleting takes records, keys and mailboxes along, and tells open pages', async () => {
  const who = await aMember(app)
  const { _id: id, name } = await addDomain(app, who, { name: 'gone.test' })
  const domain = await app.db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const mailbox = await aMailbox(app, { domain })
  const topics: string[] = []
  const heard = Promise.withResolvers<void>()
  const leave = await app.listener.subscribe(CHANGED_CHANNEL, (payload) => {
    const { topic, workspaceId } = JSON.parse(payload ?? '{}')
    if (workspaceId === who.workspaceId) topics.push(topic)
    if (topics.length === 2) heard.resolve()
  })
  await deleteDomain(app, who, id)
  await heard.promise
  leave()
  expect(topics).toEqual(['domains', 'mailboxes'])
  for (const table of ['domainRecords', 'domainKeys', 'mailboxes'] as const)
    expect(
      await app.db.selectFrom(table).select('domainId').where('domainId', '=', id).execute(),
    ).toEqual([])
  const folders = app.db.selectFrom('folders').select('id').where('mailboxId', '=', mailbox.id)
  expect(await folders.execute()).toEqual([])
  expect((await listDomains(app, who)).map((each) => each.name)).not.toContain(name)
})
