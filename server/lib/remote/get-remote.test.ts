import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aHostileWeb, type HostileWeb, PNG } from '#test-world/outgoing/hostile-web.ts'
import { anHttpsServer, aTrustedCertificate } from '#test-world/outgoing/https-server.ts'
import { openDns } from '../dns/dns-client.ts'
import { selfSigned } from '../tls/self-signed.ts'
import { getRemote, type Network, NotFetched, postForm } from './get-remote.ts'

const limits = { accept: 'image/png', maxBytes: 100_000, wholeMs: 20_000 }
const METADATA = '169.254.169.254'

let web: HostileWeb
let dns: TestDns
let network: Network
let rebind = () => {}
beforeAll(async () => {
  dns = await aDnsServer()
  web = await aHostileWeb({
    '/rebinding.png': (response) => {
      rebind()
      response.writeHead(302, { location: `http://rebinding.example:${web.port}/again` }).end()
    },
  })
  const settings = { servers: [dns.address], port: dns.port, allowLoopbackPeers: true }
  network = { dns: openDns(settings), allowLoopbackPeers: true }
  dns.zone('pictures.example')
  dns.set('pictures.example', 'A', ['127.0.0.1'])
})
beforeEach(() => {
  web.seen.length = 0
})
afterAll(async () => {
  await web.close()
  await dns.close()
})

const get = (path: string, changes: Partial<typeof limits> = {}) =>
  getRemote(network, new URL(path, web.url).href, { ...limits, ...changes })

const reasonOf = async (asked: Promise<unknown>): Promise<string> => {
  const error = await asked.then(
    () => 'nothing was wrong',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(NotFetched)
  return String(error)
}

test('fetches by name and follows to another place, without cookie, referrer or a name of ours', async () => {
  const named = `http://ada:secret@pictures.example:${web.port}/moved.png?a=1#here`
  expect(PNG.equals(await getRemote(network, named, limits))).toBe(true)
  expect(web.seen.map(({ url }) => url)).toEqual(['/moved.png?a=1', '/picture.png'])
  await get('/picture.png')
  for (const { headers } of web.seen)
    expect(headers).toEqual({
      accept: 'image/png',
      'accept-encoding': 'identity',
      'user-agent': 'Mozilla/5.0 (compatible)',
      host: expect.any(String),
      connection: 'close',
    })
})

test('over https only from a server whose certificate holds', async () => {
  const pictured = (_request: unknown, response: { end(body: Buffer): void }) => response.end(PNG)
  const trusted = await anHttpsServer(aTrustedCertificate('pictures.example'), pictured)
  const strange = await anHttpsServer(selfSigned('pictures.example', new Date(), 10), pictured)
  const at = (port: number) => getRemote(network, `https://pictures.example:${port}/a`, limits)
  expect(PNG.equals(await at(trusted.port))).toBe(true)
  expect(await reasonOf(at(strange.port))).toMatch(/certificate/)
  await Promise.all([trusted.close(), strange.close()])
})

test.each([
  ['/missing.png', 'it answers 404'],
  ['/round.png', 'it redirects too often'],
  ['/to-file.png', 'it is no web address'],
  ['/to-metadata.png', 'is not an address of another host on the public Internet'],
  ['/to-metadata-hex.png', 'is not an address of another host on the public Internet'],
  ['/to-mapped.png', 'is not an address of another host on the public Internet'],
  ['/to-everywhere.png', 'is not an address of another host on the public Internet'],
  ['/endless.png', 'it is too large'],
  ['/said-large.png', 'it is too large'],
  ['/huge-header.png', 'Header overflow'],
  ['/bomb.png', 'it is packed with gzip'],
  ['/garbage.png', 'Parse Error'],
  ['/other-protocol.png', 'it answers 101'],
  ['/broken-off.png', 'aborted'],
])('gives up %s: %s', async (path, reason) => {
  expect(await reasonOf(get(path))).toContain(reason)
})

test.each(['/silent.png', '/stalled.png'])('does not wait for ever for %s', async (path) => {
  expect(await reasonOf(get(path, { wholeMs: 150 }))).toContain('it took too long')
})

test('dials no name that leads also elsewhere, or that leads elsewhere the second time', async () => {
  dns.zone('two-faced.example')
  dns.set('two-faced.example', 'A', ['127.0.0.1', METADATA])
  const before = web.connections()
  expect(
    await reasonOf(getRemote(network, `http://two-faced.example:${web.port}/`, limits)),
  ).toContain(METADATA)
  expect(web.connections()).toBe(before)

  dns.zone('rebinding.example')
  dns.set('rebinding.example', 'A', ['127.0.0.1'])
  rebind = () => dns.set('rebinding.example', 'A', [METADATA])
  const first = `http://rebinding.example:${web.port}/rebinding.png`
  expect(await reasonOf(getRemote(network, first, limits))).toContain(METADATA)
  expect(web.seen.map(({ url }) => url)).toEqual(['/rebinding.png'])
})

test('among the public, neither a private address nor an unusual port is dialled', async () => {
  const settings = { servers: [dns.address], port: dns.port, allowLoopbackPeers: false }
  const strict = { dns: openDns(settings), allowLoopbackPeers: false }
  const before = web.connections()
  for (const url of [
    ...[web.url, `http://localhost:${web.port}/`, `http://pictures.example:${web.port}/`],
    ...['http://pictures.example/', 'http://127.0.0.1/', 'http://2130706433/', 'http://0177.1/'],
    ...['http://[::1]/', 'http://[fd00::1]/', 'http://10.0.0.1/', 'http://8.8.8.8:25/'],
    ...['ftp://8.8.8.8/', 'gopher://8.8.8.8/', 'data:image/png;base64,AA==', 'nonsense'],
  ])
    expect(await reasonOf(getRemote(strict, url, limits)), url).toMatch(
      /public Internet|is not asked|no web address/,
    )
  expect(web.connections()).toBe(before)
})

test('a form is posted neither without https, nor to a private address, nor for ever', async () => {
  const settings = { servers: [dns.address], port: dns.port, allowLoopbackPeers: false }
  const strict = { dns: openDns(settings), allowLoopbackPeers: false }
  const before = web.connections()
  for (const url of [
    ...['https://10.0.0.1/', 'https://[fd00::1]/', 'https://127.0.0.1/', 'https://2130706433/'],
    ...['https://pictures.example/', 'https://8.8.8.8:25/', 'http://127.0.0.1/', 'nonsense'],
  ])
    expect(await reasonOf(postForm(strict, url, 'a=b', 20_000)), url).toMatch(
      /public Internet|is not asked|no web address|no https address/,
    )
  expect(web.connections()).toBe(before)
  const silent = await anHttpsServer(aTrustedCertificate('pictures.example'), () => {})
  const slow = `https://pictures.example:${silent.port}/`
  expect(await reasonOf(postForm(network, slow, 'a=b', 150))).toContain('it took too long')
  await silent.close()
})
