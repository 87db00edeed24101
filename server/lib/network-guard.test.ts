import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Dns, DnsAnswer } from './dns/dns.ts'
import {
  addOwnAddresses,
  assertDialable,
  dialableAddresses,
  guardedLookup,
  isDialable,
  isPublicAddress,
  NotDialable,
} from './network-guard.ts'

const notPublic = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.7'],
  ...['203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1', '::8.8.8.8'],
  ...['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1'],
  ...['2001:db8::1', '3fff::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  ...['168.63.129.16', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
  ...['100.100.100.200', '2001:20::1', '2001:4:112::1', '2620:4f:8000::1', '100:0:0:1::1'],
  ...['fd00:ec2::254', '2001:2::1', '2001:3::1'],
  ...['ff02::1', '100::1', '5f00::1', '4000::1'],
  ...[
    '',
    'example.com',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '8.8.8.8 ',
    '8.8.8.8/32',
  ],
]

test.each(notPublic)('%s is no public address', (ip) => {
  expect(isPublicAddress(ip)).toBe(false)
  expect(isDialable(ip, false)).toBe(false)
  expect(() => assertDialable(ip, false)).toThrow(NotDialable)
})

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a00:1450::5',
])('%s is a public address', (ip) => {
  expect(isPublicAddress(ip)).toBe(true)
  expect(() => assertDialable(ip, false)).not.toThrow()
})

test('the switch for tests allows loopback and private hosts, and nothing else', () => {
  for (const ip of ['127.0.0.1', '10.1.2.3', '::1', 'fd00::1'])
    expect(isDialable(ip, true), ip).toBe(true)
  for (const ip of [
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'ff02::1',
    '169.254.169.254',
    '::ffff:127.0.0.1',
  ])
    expect(isDialable(ip, true), ip).toBe(false)
})

const dnsWith = (names: Record<string, string[]>): Dns => ({
  lookUp: async (name, type): Promise<DnsAnswer> => {
    const ips = (names[name] ?? []).filter((ip) => ip.includes(':') === (type === 'AAAA'))
    if (ips.length === 0) return { outcome: 'none', isNxdomain: true, servers: [] }
    const records = ips.map((data) => ({ name, type, ttlSeconds: 1, data }))
    return { outcome: 'found', records, chain: [], servers: [] }
  },
  lookUpAtSource: async () => ({ outcome: 'failed', reason: '', servers: [] }),
  observe: async (name, type) => ({ name, type, zone: null, authorities: [], resolvers: [] }),
  resolve: async () => [],
})

test('one bad address among good ones refuses the host', async () => {
  const dns = dnsWith({
    'a.test': ['8.8.8.8', '2606:4700::1'],
    'b.test': ['8.8.8.8', '10.0.0.1'],
    'c.test': ['8.8.8.8', '::1'],
  })
  expect(await dialableAddresses(dns, 'a.test', false)).toEqual(['8.8.8.8', '2606:4700::1'])
  await expect(dialableAddresses(dns, 'b.test', false)).rejects.toBeInstanceOf(NotDialable)
  await expect(dialableAddresses(dns, 'c.test', false)).rejects.toBeInstanceOf(NotDialable)
  await expect(dialableAddresses(dns, '127.0.0.1', false)).rejects.toBeInstanceOf(NotDialable)
  expect(await dialableAddresses(dns, 'localhost', true)).toEqual(['127.0.0.1'])
  await expect(dialableAddresses(dns, 'localhost', false)).rejects.toThrow('has no address')
  await expect(dialableAddresses(dns, 'none.test', false)).rejects.toMatchObject({
    code: 'ENOTFOUND',
  })
})

test('a socket opened through the guard goes to the checked address, or nowhere', async () => {
  const server = createServer((socket) => socket.end('hello'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const dns = dnsWith({ 'peer.test': ['127.0.0.1'] })
  const dial = (allow: boolean) =>
    new Promise<string>((done) => {
      const socket = connect({ host: 'peer.test', port, lookup: guardedLookup(dns, allow) })
      socket.on('data', (bytes) => done(bytes.toString()))
      socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? ''))
    })
  expect(await dial(true)).toBe('hello')
  expect(await dial(false)).toBe('ENOTDIALABLE')
  await new Promise<void>((done) => server.close(() => done()))
})

test('what others make us dial is never ourselves, but for tests', async () => {
  addOwnAddresses(['198.41.0.4', '2606:2800:0:0::7'])
  const dns = dnsWith({ 'mx.test': ['198.41.0.4'] })
  await expect(dialableAddresses(dns, 'mx.test', false)).rejects.toBeInstanceOf(NotDialable)
  expect(() => assertDialable('2606:2800::7', false)).toThrow(NotDialable)
  expect(await dialableAddresses(dns, 'mx.test', true)).toEqual(['198.41.0.4'])
  // A name server of our own may be queried.
  expect(isDialable('198.41.0.4', false)).toBe(true)
})
