import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DnsRecord } from '#contract/domains.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../auth/who.ts'
import { addDomain } from './add-domain.ts'
import { dnsRecords, ownershipRecord } from './dns-records.ts'
import { getDomain } from './list-domains.ts'
import { recheckDueDomains } from './recheck-due-domains.ts'
import { nextCheckAt } from './records/next-check.ts'

let app: TestApp
let world: TestDns
let who: Who
beforeEach(async () => {
  world = await aDnsServer()
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns })
  who = await aMember(app)
})
afterEach(async () => {
  await app.close()
  await world.close()
})

const publish = ({ name, type, priority, value }: DnsRecord) =>
  type === 'MX' ? world.set(name, 'MX', [`${priority} ${value}`]) : world.set(name, 'TXT', [value])

test('a domain that was only added becomes active by itself, looked at once each time', async () => {
  world.zone('waiting.test')
  const { _id: id } = await addDomain(app, who, { name: 'waiting.test' })
  const records = await dnsRecords(app, who, id)
  for (const record of [await ownershipRecord(app, who, id), ...records]) publish(record)
  expect(await recheckDueDomains(app)).toBe(0)

  app.clock.advance({ seconds: 16 })
  const counts = await Promise.all([1, 2, 3].map(() => recheckDueDomains(app)))
  expect(counts.toSorted()).toEqual([0, 0, 1])
  expect(await getDomain(app, who, id)).toMatchObject({ isVerified: true, status: 'active' })

  const asked = world.queries.length
  app.clock.advance({ hours: 5 })
  expect(await recheckDueDomains(app)).toBe(0)
  expect(world.queries).toHaveLength(asked)
  world.set('_dmarc.waiting.test', 'TXT', ['v=DMARC1; p=nonsense'])
  app.clock.advance({ hours: 2 })
  expect(await recheckDueDomains(app)).toBe(1)
  expect(await getDomain(app, who, id)).toMatchObject({ status: 'inactive', dnsStatus: 'Failed' })
})

test('many domains are checked once each, shared by two processes', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `many${at}.test`)
  for (const name of names) {
    world.zone(name)
    publish(await ownershipRecord(app, who, (await addDomain(app, who, { name }))._id))
  }
  app.clock.advance({ seconds: 20 })
  const counts = await Promise.all([recheckDueDomains(app), recheckDueDomains(app)])
  expect(counts[0] + counts[1]).toBe(30)
  const proven = await app.db
    .selectFrom('domains')
    .select('id')
    .where('isVerified', '=', true)
    .execute()
  expect(proven).toHaveLength(30)
})

test('looking again becomes ever more seldom', () => {
  const since = new Date('2026-11-20T12:00:00Z')
  const hour = 3600
  const waitAfter = (seconds: number, isActive = false) => {
    const now = new Date(since.getTime() + seconds * 1000)
    return (nextCheckAt(now, { isActive, since }).getTime() - now.getTime()) / 1000
  }
  expect(waitAfter(0)).toBe(15)
  expect(waitAfter(60)).toBe(15)
  expect(waitAfter(hour)).toBe(900)
  expect(waitAfter(10 * hour)).toBe(hour)
  expect(waitAfter(71 * hour)).toBe(hour)
  expect(waitAfter(73 * hour)).toBe(24 * hour)
  const waits = Array.from({ length: 50 }, () => waitAfter(hour, true))
  expect(Math.min(...waits)).toBeGreaterThan(5.5 * hour)
  expect(Math.max(...waits)).toBeLessThan(6.5 * hour)
  expect(new Set(waits).size).toBeGreaterThan(10)
})

test('what could not be looked up is tried again soon', () => {
  const since = new Date('2026-11-20T12:00:00Z')
  const waitAfter = (hours: number, isActive: boolean) => {
    const now = new Date(since.getTime() + hours * 3_600_000)
    const domain = { isActive, since, isAnyUnknown: true }
    return (nextCheckAt(now, domain).getTime() - now.getTime()) / 1000
  }
  expect(waitAfter(0, false)).toBe(15)
  expect(waitAfter(10, false)).toBe(300)
  expect(waitAfter(10, true)).toBeLessThan(320)
  expect(waitAfter(73, false)).toBe(24 * 3600)
})
