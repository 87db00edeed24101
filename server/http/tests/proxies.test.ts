import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressIn } from '#server/lib/address-text.ts'
import { anApiClient } from '#test-world/api-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { openHttpServer } from '../http-server.ts'

const opened: { app: TestApp; server: FastifyInstance }[] = []
const aDoor = async (trustedProxies: string[]) => {
  const app = await anApp({ config: { trustedProxies } })
  const server = await openHttpServer(app)
  opened.push({ app, server })
  return { app, server }
}
let door: Awaited<ReturnType<typeof aDoor>>
beforeAll(async () => {
  door = await aDoor(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
})
afterAll(async () => {
  for (const { app, server } of opened) {
    await server.close()
    await app.close()
  }
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:50123', '192.0.2.1'],
  [' "192.0.2.1" ', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::FFFF:c000:0201]:443', '192.0.2.1'],
  ['[2001:DB8::1]:443', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', null],
  ['_hidden', null],
  ['', null],
  ['192.0.2.1:1:2', null],
  ['0x7f.1', null],
])('%s is the address %s', (text, address) => {
  expect(addressIn(text)).toBe(address)
})

/** Under which addresses wrong passwords are counted. */
const countedFor = async (headers: (n: number) => Record<string, string>, at = door) => {
  const before = new Set(at.app.logged('sign-in-failed').map(({ ip }) => ip))
  for (let n = 0; n < 3; n++) {
    const email = `${crypto.randomUUID()}@example.org`
    await anApiClient(at.server, headers(n)).call('POST', '/auth/login', {
      email,
      password: 'Wr0ng-password!',
    })
  }
  return [...new Set(at.app.logged('sign-in-failed').map(({ ip }) => ip))].filter(
    (ip) => !before.has(ip),
  )
}

test('a port, a spelling or a further proxy makes no other client', async () => {
  const spellings = ['198.51.100.1:1', '::ffff:198.51.100.1', '198.51.100.1, 10.1.2.3:99']
  expect(await countedFor((n) => ({ 'x-forwarded-for': spellings[n] ?? '' }))).toEqual([
    '198.51.100.1',
  ])
  // What the client itself wrote stands further left, and is not believed.
  expect(await countedFor((n) => ({ 'x-forwarded-for': `203.0.113.${n}, 198.51.100.2` }))).toEqual([
    '198.51.100.2',
  ])
})

test('garbage from a trusted proxy counts as the proxy, and is warned of once', async () => {
  expect(await countedFor((n) => ({ 'x-forwarded-for': `garbage-${n}` }))).toEqual(['127.0.0.1'])
  expect(
    door.app.warnings().filter((line) => line.includes('without an address: its own counts')),
  ).toHaveLength(1)
})

test('a proxy that is not named is warned of once, with the setting', async () => {
  const plain = await aDoor([])
  const headers = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
  expect(await countedFor(headers, plain)).toEqual(['127.0.0.1'])
  expect(plain.app.warnings()).toEqual([
    expect.stringMatching(
      /^Requests come through 127\.0\.0\.1, .* set TRUSTED_PROXIES=127\.0\.0\.1$/,
    ),
  ])
  const silent = await aDoor(['127.0.0.1'])
  await countedFor(() => ({ forwarded: 'for=198.51.100.1' }), silent)
  expect(silent.app.warnings()).toEqual([expect.stringMatching(/sends Forwarded without/)])
})
