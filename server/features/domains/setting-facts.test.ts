import { expect, test } from 'vitest'
import type { Observation, ServerAnswer } from '#server/lib/dns/dns.ts'
import { settingFacts } from './setting-facts.ts'

const nothingThere: ServerAnswer = {
  ...{ server: '192.0.2.53', host: 'a.registry.test', outcome: 'none', fault: null, reason: '' },
  ...{ rcode: 'NXDOMAIN', isAuthoritative: true, latencyMs: 1, records: [], chain: [] },
  ttlSeconds: 60,
}

const factsIn = (zone: string) => {
  const observed: Observation = {
    ...{ name: 'shop.co.uk', type: 'TXT', zone, authorities: [nothingThere], resolvers: [] },
  }
  return settingFacts(
    { txt: observed, mx: null, dmarc: null },
    {
      ...{ domain: 'shop.co.uk', ourSpf: [], memo: new Map(), giveUpAtMs: Date.now() + 1000 },
      lookUp: () => Promise.resolve({ outcome: 'none' }),
    },
  )
}

test('nobody enters records in the zone of a registry', async () => {
  expect(await factsIn('shop.co.uk')).toMatchObject({
    zone: 'shop.co.uk',
    nameServers: ['a.registry.test'],
  })
  for (const registry of ['co.uk', 'uk'])
    expect(await factsIn(registry)).toMatchObject({ zone: null, nameServers: [] })
})
