import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DnsRecord, RecordPurpose } from '#contract/domains.ts'
import type { AppError } from '#contract/errors.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import type { Dns } from '#server/lib/dns/dns.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { openDatabase } from '#server/storage/database.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { insertChanges } from './changes-store.ts'
import { checkDomain } from './check-domain.ts'
import { recheckDueDomains } from './recheck-due-domains.ts'
import { listRecordChanges } from './verify-domain.ts'
import { readWatched } from './watch-records.ts'

let app: TestApp
let world: TestDns
let who: Who
beforeEach(async () => {
  world = await aDnsServer()
  const dns = openDns({
    servers: [world.address],
    port: world.port,
    allowLoopbackPeers: true,
  })
  app = await anApp({ dns })
  who = await aMember(app)
})
afterEach(async () => {
  await app.close()
  await world.close()
})

const publish = ({ name, type, priority, value }: DnsRecord) =>
  type === 'MX' ? world.set(name, 'MX', [`${priority} ${value}`]) : world.set(name, 'TXT', [value])

const anAdded = async (name: string) => {
  world.zone(name)
  return (await addDomain(app, who, { name }))._id
}

/** Copies of one that was added: making a key for each takes long. */
const manyAdded = async (names: string[]): Promise<string[]> => {
  const first = await anAdded('first.test')
  const { db } = app
  const read = (table: 'domainRecords' | 'domainKeys') =>
    db.selectFrom(table).selectAll().where('domainId', '=', first).execute()
  const [records, keys] = [await read('domainRecords'), await read('domainKeys')]
  const ids: string[] = []
  for (const name of names) {
    world.zone(name)
    const { id: domainId } = await aDomain(app, { workspaceId: who.workspaceId, name })
    ids.push(domainId)
    await db
      .insertInto('domainRecords')
      .values(records.map((record) => ({ ...record, domainId, found: '[]', sightings: null })))
      .execute()
    await db
      .insertInto('domainKeys')
      .values(keys.map((key) => ({ ...key, domainId, id: newId() })))
      .execute()
  }
  await deleteDomain(app, who, first)
  return ids
}

const anActive = async (name: string): Promise<string> => {
  const id = await anAdded(name)
  for (const record of [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))])
    publish(record)
  await checkDomain(app, { id, workspaceId: who.workspaceId }, 'all')
  return id
}

const check = (id: string) => checkDomain(app, { id, workspaceId: who.workspaceId }, 'all')

const changesOf = async (id: string, purpose?: RecordPurpose, by = who) =>
  (await listRecordChanges(app, by, id, { limit: 200, ...(purpose && { purpose }) })).items

const openPage = (id: string) =>
  readWatched(app, who, id, async () => [
    await ownershipRecord(app, who, id),
    ...(await dnsRecords(app, who, id)),
  ])

/** Advances the clock second by second, and returns the seconds after which the domain was checked. */
const looksWithin = async (
  seconds: number,
  step: number,
  meanwhile = async (): Promise<unknown> => null,
) => {
  const looks: number[] = []
  for (let at = step; at <= seconds; at += step) {
    app.clock.advance({ seconds: step })
    await meanwhile()
    if ((await recheckDueDomains(app)) > 0) looks.push(at)
  }
  return looks
}

test('while the page is open it is looked at every 15 seconds, then more seldom again', async () => {
  const id = await anAdded('open.test')
  app.clock.advance({ hours: 60 })
  await recheckDueDomains(app)
  expect(await looksWithin(600, 60)).toEqual([])

  const [ownership] = await openPage(id)
  expect(ownership?.nextCheckAt).toBe(app.clock.now().toISOString())
  expect(await recheckDueDomains(app)).toBe(1)
  const looks = await looksWithin(60, 5, () => openPage(id))
  expect(looks).toEqual([15, 30, 45, 60])

  // Closed: one look that was already planned, and then the next within the hour.
  expect((await looksWithin(600, 15)).length).toBeLessThanOrEqual(3)
})

test('an open page where all is right, and the twenty-first open page, ask for nothing', async () => {
  const done = await anActive('done.test')
  await openPage(done)
  expect(await looksWithin(60, 15, () => openPage(done))).toEqual([])

  const ids = await manyAdded(Array.from({ length: 21 }, (_, n) => `many${n}.test`))
  const tomorrow = new Date(app.clock.now().getTime() + 24 * 3600_000)
  await app.db.updateTable('domainRecords').set({ nextCheckAt: tomorrow }).execute()
  for (const id of ids) await openPage(id)
  const { count } = await app.db
    .selectFrom('domainRecords')
    .select(({ fn }) => fn.count<number>('domainId').distinct().as('count'))
    .where('nextCheckAt', '<', tomorrow)
    .executeTakeFirstOrThrow()
  expect(count).toBe(20)
})

test('an open page has DNS asked again once the cache of a resolver may have forgotten the old value', async () => {
  const id = await anActive('cached.test')
  world.setCached('cached.test', 'TXT', ['v=spf1 ip4:203.0.113.9 ~all'])
  await check(id)
  expect((await dnsRecords(app, who, id)).find(({ purpose }) => purpose === 'spf')).toMatchObject({
    state: 'verified',
    sightings: { visible: [{ state: 'different', ttlSeconds: 300 }] },
  })
  expect(await looksWithin(285, 15, () => openPage(id))).toEqual([])
  world.setCached('cached.test', 'TXT', null)
  expect(await looksWithin(600, 15, () => openPage(id))).toEqual([30])
})

test('five processes on connections of their own check each domain once', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `shared${n}.test`)
  await manyAdded(names)
  app.clock.advance({ seconds: 20 })
  const pools = Array.from({ length: 5 }, () =>
    openDatabase({ connection: app.database.connection, maxConnections: 3 }, () => {}),
  )
  try {
    const asked: string[] = []
    const observe: Dns['observe'] = (name, type, memo) => {
      asked.push(name)
      return app.dns.observe(name, type, memo)
    }
    const processes = pools.map((db) => ({ ...app, db, dns: { ...app.dns, observe } }))
    const counts = await Promise.all(processes.map((each) => recheckDueDomains(each)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1)
    const proofs = asked.filter((name) => name.startsWith('_mailstead.'))
    expect(proofs.toSorted()).toEqual(names.map((name) => `_mailstead.${name}`).toSorted())
  } finally {
    for (const pool of pools) await pool.destroy()
  }
})

test('what a process that died was checking is checked by another', async () => {
  const id = await anAdded('orphan.test')
  app.clock.advance({ seconds: 20 })
  await app.db
    .updateTable('domains')
    .set({ checkClaimedUntil: new Date(app.clock.now().getTime() + 120_000) })
    .where('id', '=', id)
    .execute()
  expect(await recheckDueDomains(app)).toBe(0)
  app.clock.advance({ seconds: 121 })
  expect(await recheckDueDomains(app)).toBe(1)
})

test('what changed is kept for each record, and only what changed', async () => {
  const id = await anActive('history.test')
  const first = await changesOf(id)
  expect(first.map(({ purpose }) => purpose).toSorted()).toEqual([
    'dkim',
    'dmarc',
    'mx',
    'ownership',
    'spf',
  ])
  expect(first.find(({ purpose }) => purpose === 'dmarc')).toMatchObject({
    at: app.clock.now().toISOString(),
    from: { state: 'waiting', values: [] },
    to: { state: 'verified', values: ['v=DMARC1; p=none'] },
  })

  // Another order of the same texts, and servers that say nothing, are no change.
  world.set('history.test', 'TXT', ['hello', 'v=spf1 ip4:127.0.0.1 ~all'])
  app.clock.advance({ hours: 1 })
  await check(id)
  world.set('history.test', 'TXT', ['v=spf1 ip4:127.0.0.1 ~all', 'hello'])
  world.behave('_dmarc.history.test', 'servfail')
  app.clock.advance({ hours: 1 })
  await check(id)
  expect(await changesOf(id, 'dmarc')).toHaveLength(1)
  expect((await changesOf(id, 'spf')).length).toBeLessThanOrEqual(2)

  world.behave('_dmarc.history.test', null)
  world.set('_dmarc.history.test', 'TXT', ['v=DMARC1; p=reject'])
  const changedAt = app.clock.advance({ hours: 1 }).toISOString()
  await check(id)
  const [newest] = await changesOf(id, 'dmarc')
  expect(newest).toMatchObject({
    at: changedAt,
    from: { state: 'verified', values: ['v=DMARC1; p=none'] },
    to: { state: 'verified', values: ['v=DMARC1; p=reject'] },
  })
  const dmarc = (await dnsRecords(app, who, id)).find(({ purpose }) => purpose === 'dmarc')
  expect(dmarc?.changedAt).toBe(changedAt)

  await deleteDomain(app, who, id)
  expect(await app.db.selectFrom('domainRecordChanges').selectAll().execute()).toEqual([])
})

test('fifty changes of a record are kept, read page by page, and seen by its workspace alone', async () => {
  const id = await anActive('busy.test')
  const old = Array.from({ length: 60 }, (_, n) => ({
    purpose: 'dmarc' as const,
    at: new Date(app.clock.now().getTime() + n * 60_000),
    from: { state: 'verified' as const, values: [`${n}`] },
    to: { state: 'verified' as const, values: [`${n + 1}`] },
  }))
  await insertChanges(app.db, { id, workspaceId: who.workspaceId }, old)
  app.clock.advance({ hours: 2 })
  world.set('_dmarc.busy.test', 'TXT', ['v=DMARC1; p=reject'])
  await check(id)
  const all = await changesOf(id, 'dmarc')
  expect(all).toHaveLength(50)
  expect(all[0]?.to.values).toEqual(['v=DMARC1; p=reject'])
  expect(all.at(-1)?.to.values).toEqual(['12'])
  expect(await changesOf(id, 'mx')).toHaveLength(1)

  const read: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listRecordChanges(app, who, id, { limit: 20, ...(cursor && { cursor }) })
    read.push(...page.items.map(({ _id }) => _id))
    cursor = page.nextCursor
  }
  expect(new Set(read).size).toBe(54)

  const bob = await aMember(app)
  for (const [by, at] of [
    [bob, id],
    [who, newId()],
    [who, 'nonsense'],
  ] as const) {
    const refused = await changesOf(at, undefined, by).catch((error: AppError) => error.type)
    expect(refused).toBe('NOT_EXISTS')
  }
})
