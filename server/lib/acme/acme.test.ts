import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AcmeDirectory, anAcmeDirectory, HOST } from '#test-world/acme/acme-directory.ts'
import { aClock } from '#test-world/clock.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { openDns } from '../dns/dns-client.ts'
import { accountKey, newKeyPem } from './account-key.ts'
import { openAcmeClient } from './acme-client.ts'
import { AcmeTrouble, retryAfterOf, troubleOf } from './acme-trouble.ts'
import type { AcmeNetwork } from './ask-directory.ts'
import { ACME_ALPN, type ChallengeAnswer, challengeCertificate } from './challenges.ts'
import { orderCertificate } from './order-certificate.ts'
import { renewalId, renewalWindow, revokeCertificate } from './renewal.ts'

const NAME = 'mail.shop.example'
const clock = aClock()
const answers = new Map<string, ChallengeAnswer>()
const web = createServer((request, response) => {
  const token = request.url?.split('/').at(-1) ?? ''
  response.end(answers.get(token)?.keyAuthorization ?? 'no such token')
})
const tls = createTlsServer({
  ALPNProtocols: [ACME_ALPN],
  SNICallback: (name, done) => {
    const answer = [...answers.values()].find((each) => each.name === name)
    if (answer === undefined) return done(new Error(`nobody asks for ${name}`))
    challengeCertificate(answer, clock.now()).then(
      (made) => done(null, createSecureContext(made)),
      done,
    )
  },
})
tls.on('tlsClientError', () => {})

let dns: TestDns
let directory: AcmeDirectory
let network: AcmeNetwork
beforeAll(async () => {
  dns = await aDnsServer()
  dns.zone(HOST)
  dns.set(HOST, 'A', ['127.0.0.1'])
  for (const server of [web, tls]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  for (const server of [web, tls]) server.close()
  await dns.close()
})
beforeEach(async () => {
  await directory?.close()
  directory = await anAcmeDirectory(clock.now)
  directory.ports.http = (web.address() as AddressInfo).port
  directory.ports.tls = (tls.address() as AddressInfo).port
  answers.clear()
  network = {
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
    ...{ allowLoopbackPeers: false, directoryUrl: directory.url, roots: directory.root },
  }
})
afterAll(() => directory.close())

const aClient = (changes: Partial<AcmeNetwork> = {}, signal = AbortSignal.timeout(60_000)) =>
  openAcmeClient({ ...network, ...changes }, accountKey(newKeyPem()), { accountUrl: null, signal })

const order = async (
  client: ReturnType<typeof aClient>,
  changes: Partial<Parameters<typeof orderCertificate>[1]> = {},
) => {
  await client.register('operator@example.com')
  return orderCertificate(client, {
    ...{ name: NAME, kinds: ['http-01', 'tls-alpn-01'], replaces: null },
    publish: async (answer) => void answers.set(answer.token, answer),
    signal: AbortSignal.timeout(60_000),
    ...changes,
  })
}

const troubleIn = async (work: Promise<unknown>): Promise<AcmeTrouble> => {
  const error = await work.then(
    () => new Error('nothing was wrong'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AcmeTrouble)
  return error as AcmeTrouble
}

test.each(['http-01', 'tls-alpn-01'] as const)('a name is proven by %s', async (kind) => {
  const { chain, key } = await order(aClient(), { kinds: [kind] })
  const leaf = new X509Certificate(chain)
  expect(leaf.subjectAltName).toBe(`DNS:${NAME}`)
  expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(leaf.verify(new X509Certificate(directory.root).publicKey)).toBe(true)
})

test('a proof that the directory does not offer is not tried', async () => {
  directory.offers = ['tls-alpn-01']
  expect((await order(aClient())).chain).toContain('BEGIN CERTIFICATE')
  const { message } = await troubleIn(order(aClient(), { kinds: ['http-01'] }))
  expect(message).toBe('The directory offers no proof by http-01.')
})

test('a nonce that the directory does not take is replaced', async () => {
  directory.badNonceEvery = 2
  await order(aClient())
  expect(directory.refusedNonces).toBeGreaterThan(3)
  expect(directory.issued).toBe(1)
  directory.badNonceEvery = 1
  expect((await troubleIn(order(aClient()))).type).toBe('badNonce')
})

test('why a name was not proven is said in a sentence', async () => {
  const { message, type } = await troubleIn(order(aClient(), { publish: async () => {} }))
  expect(type).toBe('incorrectResponse')
  expect(message).toBe(
    'The directory got another answer from the name than ours. It says: got no such token',
  )
  directory.ports.http = 1
  expect((await troubleIn(order(aClient()))).message).toMatch(
    /^The directory could not connect to the name\. It says: .*ECONNREFUSED/,
  )
})

test('a limit says when to come back', async () => {
  directory.moods.set(NAME, 'limit')
  const trouble = await troubleIn(order(aClient()))
  expect(trouble).toMatchObject({ type: 'rateLimited', retryAfterSeconds: 3_600 })
  expect(trouble.message).toContain(`It says: too many for ${NAME}`)
})

test.each([
  ['err', 'The directory answered 500.'],
  ['garbage', 'The directory answered with too much.'],
] as const)('a directory in the mood to %s: %s', async (mood, sentence) => {
  directory.moods.set('', mood)
  expect((await troubleIn(order(aClient()))).message).toBe(sentence)
})

test('a directory that hangs is given up, by the request and by the whole', async () => {
  directory.moods.set(NAME, 'hang')
  const sentence = 'The directory took too long to answer.'
  expect((await troubleIn(order(aClient({ requestMs: 300 })))).message).toBe(sentence)
  const whole = AbortSignal.timeout(300)
  expect((await troubleIn(order(aClient({}, whole)))).message).toBe(sentence)
})

test('a directory whose certificate nobody vouches for is not trusted', async () => {
  expect((await troubleIn(order(aClient({ roots: null })))).message).toMatch(
    /^The directory could not be asked: .*certificate/,
  )
})

test('a directory sends us neither to a private address nor without https', async () => {
  const client = aClient()
  expect((await troubleIn(client.get('https://10.0.0.1/renewal'))).message).toContain(
    '10.0.0.1 is not an address of another host',
  )
  expect((await troubleIn(client.get(directory.url.replace('https', 'http')))).message).toBe(
    'The directory names an address without https.',
  )
})

test('renewal is when the directory suggests it, and says what it replaces', async () => {
  const client = aClient()
  const { chain } = await order(client)
  expect(await renewalWindow(client, chain)).toBeNull()
  directory.window = {
    start: new Date('2026-12-01T00:00:00Z'),
    end: new Date('2026-12-02T00:00:00Z'),
  }
  const later = aClient()
  expect(await renewalWindow(later, chain)).toEqual({
    ...directory.window,
    askAgainSeconds: 21_600,
  })
  await order(later, { replaces: renewalId(chain) })
  expect(directory.orders.map(({ replaces }) => replaces)).toEqual([null, renewalId(chain)])
})

test('a certificate is revoked once, and twice is no trouble', async () => {
  const client = aClient()
  const { chain } = await order(client)
  await revokeCertificate(client, chain, 'keyCompromise')
  await revokeCertificate(client, chain, 'keyCompromise')
  expect(directory.revoked).toEqual([new X509Certificate(chain).serialNumber])
})

test('the identifier of RFC 9773 section 4.1 is made of authority and serial number', () => {
  // The example of the RFC, appendix A.
  const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`
  expect(renewalId(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
})

test.each([
  [{ 'retry-after': '120' }, 120],
  [{ 'retry-after': '0' }, 1],
  [{ 'retry-after': '99999999' }, 604_800],
  [{ 'retry-after': 'Fri, 27 Nov 2026 10:10:00 GMT', date: 'Fri, 27 Nov 2026 10:00:00 GMT' }, 600],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('%o asks to wait for %s seconds', (headers, seconds) => {
  expect(retryAfterOf(headers)).toBe(seconds)
})

test('what a directory writes reaches nobody with line breaks or at length', () => {
  const body = { type: 'urn:ietf:params:acme:error:dns', detail: `a\r\nb${'x'.repeat(5_000)}` }
  const { message } = troubleOf(body, 400)
  expect(message).toMatch(/^The directory could not look the name up\. It says: a bx+$/)
  expect(message.length).toBeLessThan(500)
  expect(troubleOf('<html>', 502).message).toBe('The directory answered 502.')
})
