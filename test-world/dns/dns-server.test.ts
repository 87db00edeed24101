import { expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { aDnsServer } from './dns-server.ts'

test('wildcards answer for what is not there, and a name with others below it exists', async () => {
  const world = await aDnsServer()
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  world.zone('wild.test')
  world.set('*.wild.test', 'TXT', ['any'])
  world.set('deep.below.wild.test', 'TXT', ['own'])
  expect(await dns.lookUp('a.b.wild.test', 'TXT')).toMatchObject({ records: [{ data: 'any' }] })
  expect(await dns.lookUp('below.wild.test', 'TXT')).toMatchObject({
    outcome: 'none',
    isNxdomain: false,
  })
  world.remove('deep.below.wild.test')
  expect(await dns.lookUp('below.wild.test', 'TXT')).toMatchObject({ outcome: 'found' })
  world.remove('*.wild.test')
  expect(await dns.lookUp('below.wild.test', 'TXT')).toMatchObject({
    outcome: 'none',
    isNxdomain: true,
  })
  await world.close()
  expect(await dns.lookUp('wild.test', 'SOA')).toMatchObject({ outcome: 'failed' })
})
