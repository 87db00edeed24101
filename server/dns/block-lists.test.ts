import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { lookUpListings } from './block-lists.ts'

let dns: TestDns
beforeAll(async () => {
  dns = await aDnsServer()
})
afterAll(() => dns.close())

const listings = async (ip: string) => {
  const { lookUp } = openDns({
    ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true, timeoutMs: 10_000 },
  })
  return (await lookUpListings(lookUp, [ip])).map(({ state }) => state)
}

test('127.x is a listing, a refusal and hijacked DNS are no answer, and no record is none', async () => {
  for (const zone of ['spamhaus.org', 'barracudacentral.org', 'spamcop.net']) dns.zone(zone)
  dns.set('7.2.0.192.zen.spamhaus.org', 'A', ['127.0.0.2', '127.0.0.10'])
  dns.set('7.2.0.192.b.barracudacentral.org', 'A', ['127.255.255.254'])
  dns.set('7.2.0.192.bl.spamcop.net', 'A', ['203.0.113.80'])
  expect(await listings('192.0.2.7')).toEqual(['listed', 'not-answered', 'not-answered'])
  dns.behave('spamcop.net', 'servfail')
  expect(await listings('192.0.2.8')).toEqual(['not-listed', 'not-listed', 'not-answered'])
  dns.behave('spamcop.net', null)
})

test('an IPv6 address is asked by its nibbles', async () => {
  const nibbles = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2'
  dns.set(`${nibbles}.zen.spamhaus.org`, 'A', ['127.0.0.3'])
  expect(await listings('2001:db8::1')).toEqual(['listed', 'not-listed', 'not-listed'])
})
