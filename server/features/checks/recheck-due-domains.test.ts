import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DnsRecord } from '#contract/domains.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import type { Who } from '../accounts/who.ts'
import { recheckDueDomains } from './recheck-due-domains.ts'

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

test('many domains of one workspace that answer nobody do not come before those of all others', async () => {
  const settings = { servers: [world.address], port: world.port, allowLoopbackPeers: true }
  const dns = openDns({ ...settings, timeoutMs: 300 })
  const patient = { ...app, dns }
  const names = Array.from({ length: 30 }, (_, at) => `d${at}.silent.test`)
  for (const name of names) {
    world.zone(name)
    world.behave(name, 'silent')
  }
  await Promise.all(names.map((name) => addDomain(app, who, { name })))
  app.clock.advance({ seconds: 1 })
  world.zone('waiting.test')
  await addDomain(app, await aMember(app), { name: 'waiting.test' })
  app.clock.advance({ seconds: 16 })
  expect(await recheckDueDomains(patient)).toBe(31)
  const first = world.queries.findIndex(({ name }) => name.endsWith('waiting.test'))
  const before = world.queries.slice(0, first).map(({ name }) => /d\d+\.silent/.exec(name)?.[0])
  expect(first).toBeGreaterThan(-1)
  expect(new Set(before).size).toBeLessThan(30)
})
