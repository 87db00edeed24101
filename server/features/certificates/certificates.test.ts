import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RecordPurpose } from '#contract/domains.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { type AcmeDirectory, anAcmeDirectory, HOST } from '#test-world/acme/acme-directory.ts'
import { anApp, type TestApp, type TestAppOptions } from '#test-world/app.ts'
import { aDomain, aWorkspace } from '#test-world/builders.ts'
import { aClock } from '#test-world/clock.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { answerByText } from './answer-challenge.ts'
import { makeDue, wantRevocation } from './certificates-store.ts'
import { tendCertificates } from './tend-certificates.ts'

const OWN = 'mail.host.example'
/** Where programs ask that know the MX of a domain alone. */
const FOR_MX = 'autoconfig.host.example'
let dns: TestDns
let directory: AcmeDirectory
let app: TestApp
let web: Server
let folder: string

beforeAll(async () => {
  dns = await aDnsServer()
  dns.zone(HOST)
  dns.set(HOST, 'A', ['127.0.0.1'])
  dns.zone('host.example')
  dns.set(OWN, 'A', ['192.0.2.1'])
})
afterAll(() => dns.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailstead-test-acme-'))
  const clock = aClock()
  directory = await anAcmeDirectory(clock.now)
  await writeFile(join(folder, 'root.pem'), directory.root)
  app = await aProcess({ clock })
  web = createServer(async ({ url }, response) => {
    response.end(await answerByText(app, url?.split('/').at(-1) ?? ''))
  })
  await once(web.listen(0, '127.0.0.1'), 'listening')
  directory.ports.http = (web.address() as AddressInfo).port
})
afterEach(async () => {
  web.close()
  await directory.close()
  await app.close()
  await rm(folder, { recursive: true })
})

const aProcess = (options: TestAppOptions): Promise<TestApp> =>
  anApp({
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
    config: {
      ...{ publicUrl: `https://${OWN}`, mailHost: OWN, mailIps: [], httpPort: 80 },
      acme: {
        ...{ directoryUrl: directory.url, email: 'operator@host.example' },
        caFile: join(folder, 'root.pem'),
      },
    },
    ...options,
  })

const tend = (of: TestApp = app) => tendCertificates(of, () => false)

const rows = () =>
  app.db.selectFrom('certificates').selectAll().orderBy('isOwn', 'desc').orderBy('name').execute()
const rowOf = async (name: string) => {
  const found = (await rows()).find((row) => row.name === name)
  if (found === undefined) throw new Error(`${name} is not wanted`)
  return found
}

/** A verified domain; of its hosts those in `leading` have a record that is right, and lead here in DNS. */
const aDomainWith = async (
  leading: [RecordPurpose, string][],
  more: { workspaceId?: string } = {},
) => {
  const domain = await aDomain(app, { verified: true, ...more })
  dns.zone(domain.name)
  for (const [position, [purpose, host]] of leading.entries()) {
    const name = `${host}.${domain.name}`
    dns.set(name, 'CNAME', [OWN])
    await app.db
      .insertInto('domainRecords')
      .values({
        ...{ domainId: domain.id, workspaceId: domain.workspaceId, purpose, position, name },
        ...{ type: 'CNAME', value: OWN, ttl: 3600, priority: null, isRequired: false },
        ...{ state: 'verified', found: '[]', checkedAt: null, nextCheckAt: null, changedAt: null },
        ...{ verifiedAt: null, unansweredSince: null, failedAt: null, alertedAt: null },
      })
      .execute()
  }
  return domain
}

/** The names in the certificate that a client is shown. */
const shownFor = async (servername: string | undefined): Promise<string> => {
  const server = createTlsServer({
    ...app.certificates.usual(),
    SNICallback: app.certificates.forName,
  })
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect({
    ...{
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
    },
    ...(servername !== undefined && { servername }),
  })
  await once(socket, 'secureConnect')
  const { subjectaltname = '' } = socket.getPeerCertificate()
  socket.destroy()
  server.close()
  return subjectaltname
}

const hosts = ['autoconfig', 'autodiscover', 'ua-auto-config', 'mta-sts', 'mail']

test('our own name first, then the hosts of domains that lead here, and no others', async () => {
  const { name } = await aDomainWith([
    ['autoconfig', 'autoconfig'],
    ['autodiscover', 'autodiscover'],
    ['pacc', 'ua-auto-config'],
    ['mta-sts-host', 'mta-sts'],
    ['ownership', 'mail'],
  ])
  const elsewhere = await aDomain(app, { verified: true })
  dns.zone(elsewhere.name)
  dns.set(`mail.${elsewhere.name}`, 'A', ['192.0.2.99'])
  const unproven = await aDomain(app)
  dns.zone(unproven.name)
  dns.set(`mail.${unproven.name}`, 'CNAME', [OWN])
  await tend()

  // Three are asked for at a time.
  const first = directory.orders.slice(0, 3).map((order) => order.name)
  expect(first).toContain(OWN)
  expect(directory.orders.map((order) => order.name).toSorted()).toEqual(
    [OWN, ...hosts.map((host) => `${host}.${name}`)].toSorted(),
  )
  expect((await rowOf(`mail.${elsewhere.name}`)).trouble).toBe(
    `mail.${elsewhere.name} leads to 192.0.2.99, and not here.`,
  )
  expect((await rows()).map((row) => row.name)).not.toContain(`mail.${unproven.name}`)
  const { chain, keySealed } = await rowOf(OWN)
  expect(new X509Certificate(chain ?? '').subjectAltName).toBe(`DNS:${OWN}`)
  expect(keySealed).not.toContain('PRIVATE KEY')
  expect(app.logged('certificate-issued').map((line) => line.name)).toContain(OWN)
  expect(await app.db.selectFrom('acmeAnswers').selectAll().execute()).toEqual([])
})

test('doors take a new certificate up without a restart, by the name that a client asks for', async () => {
  const { name } = await aDomainWith([['autoconfig', 'autoconfig']])
  await app.certificates.load()
  const own = new X509Certificate(app.certificates.usual().cert)
  expect(own.verify(own.publicKey)).toBe(true)
  await tend()
  await expect
    .poll(() => new X509Certificate(app.certificates.usual().cert).issuer)
    .toContain('Test')
  await expect.poll(() => shownFor(`AutoConfig.${name}`)).toBe(`DNS:autoconfig.${name}`)
  for (const asked of [OWN, undefined, 'a.stranger.example', `x.autoconfig.${name}`])
    expect(await shownFor(asked)).toBe(`DNS:${OWN}`)
  const { cert, key } = app.certificates.usual()
  expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true)
})

test('two processes ask once, with one account', async () => {
  const second = await aProcess({ database: app.database, clock: app.clock })
  const leading: [RecordPurpose, string][] = [
    ['autoconfig', 'autoconfig'],
    ['pacc', 'ua-auto-config'],
  ]
  for (let i = 0; i < 3; i += 1) await aDomainWith(leading)
  await Promise.all([tend(), tend(second), tend(), tend(second)])
  const asked = directory.orders.map((order) => order.name)
  expect(asked).toHaveLength(7)
  expect(new Set(asked).size).toBe(7)
  expect(directory.issued).toBe(7)
  expect(await app.db.selectFrom('acmeAccounts').selectAll().execute()).toHaveLength(1)
  await second.close()
})

test('the host for programs that know an MX alone has one if it leads here, and nobody is told that it does not', async () => {
  await tend()
  expect((await rowOf(FOR_MX)).trouble).toBe(`${FOR_MX} has no address in DNS yet.`)
  dns.set(FOR_MX, 'A', ['192.0.2.99'])
  app.clock.advance({ minutes: 61 })
  await tend()
  expect((await rowOf(FOR_MX)).trouble).toBe(`${FOR_MX} leads to 192.0.2.99, and not here.`)
  expect(directory.orders.map((order) => order.name)).toEqual([OWN])
  expect(app.warnings()).toEqual([])
  dns.remove(FOR_MX)
  dns.set(FOR_MX, 'CNAME', [OWN])
  app.clock.advance({ minutes: 61 })
  await tend()
  await expect.poll(() => shownFor(FOR_MX)).toBe(`DNS:${FOR_MX}`)
  dns.remove(FOR_MX)
})

test('a name is asked for as soon as it leads here', async () => {
  const { name } = await aDomainWith([])
  await tend()
  expect((await rowOf(`mail.${name}`)).trouble).toBe(`mail.${name} has no address in DNS yet.`)
  dns.set(`mail.${name}`, 'A', ['192.0.2.1'])
  app.clock.advance({ minutes: 61 })
  await tend()
  expect((await rowOf(`mail.${name}`)).chain).toContain('BEGIN CERTIFICATE')
})

test('who asks for much waits for who asks for little', async () => {
  const { id: workspaceId } = await aWorkspace(app)
  for (let i = 0; i < 12; i += 1) await aDomainWith([['autoconfig', 'autoconfig']], { workspaceId })
  const collectNames = () => tendCertificates(app, () => true)
  await collectNames()
  app.clock.advance({ minutes: 1 })
  const { name } = await aDomainWith([['autoconfig', 'autoconfig']])
  await collectNames()
  await tend()
  const names = directory.orders.map((order) => order.name)
  expect(names).toHaveLength(14)
  // Our own is first, and as many as are asked for at once.
  expect(names.indexOf(`autoconfig.${name}`)).toBeLessThanOrEqual(3)
})

test('a refusal is told, waits longer each time, and holds up no other name', async () => {
  const { name } = await aDomainWith([['autoconfig', 'autoconfig']])
  directory.moods.set(`autoconfig.${name}`, 'limit')
  directory.retryAfterSeconds = 7_200
  await tend()
  expect((await rowOf(OWN)).chain).not.toBeNull()
  const limited = await rowOf(`autoconfig.${name}`)
  expect(limited).toMatchObject({ failures: 1, chain: null })
  expect(limited.trouble).toContain('The directory limits how much is asked of it.')
  expect(limited.nextLookAt.getTime() - app.clock.now().getTime()).toBe(7_200_000)
  expect(app.logged('certificate-refused')).toMatchObject([{ name: `autoconfig.${name}` }])

  directory.moods.set(`autoconfig.${name}`, 'err')
  const waits: number[] = []
  for (let i = 0; i < 3; i += 1) {
    await makeDue(app.db, `autoconfig.${name}`, app.clock.now())
    await app.db
      .updateTable('certificates')
      .set({ failures: i + 1 })
      .where('name', '=', `autoconfig.${name}`)
      .execute()
    await tend()
    const { nextLookAt } = await rowOf(`autoconfig.${name}`)
    waits.push((nextLookAt.getTime() - app.clock.now().getTime()) / 60_000)
  }
  expect(waits).toEqual([10, 20, 40])
  await tend()
  expect(directory.orders.filter((order) => order.name === `autoconfig.${name}`)).toHaveLength(4)
})

test('a directory that forgot us gets the same account again', async () => {
  await tend()
  await app.db
    .updateTable('acmeAccounts')
    .set({ url: `${directory.url}/gone` })
    .execute()
  const { name } = await aDomainWith([['autoconfig', 'autoconfig']])
  app.clock.advance({ minutes: 1 })
  await tend()
  expect((await rowOf(`autoconfig.${name}`)).failures).toBe(1)
  app.clock.advance({ minutes: 6 })
  await tend()
  expect(await rowOf(`autoconfig.${name}`)).toMatchObject({ failures: 0, trouble: '' })
})

test('without a suggestion it is renewed after two thirds of its time, and the new one says which it replaces', async () => {
  directory.validDays = 90
  await tend()
  app.clock.advance({ days: 59 })
  await tend()
  expect(directory.issued).toBe(1)
  const before = await rowOf(OWN)
  app.clock.advance({ days: 2 })
  await tend()
  expect(directory.issued).toBe(2)
  expect((await rowOf(OWN)).chain).not.toBe(before.chain)
})

test('with a suggestion of the directory it is renewed then', async () => {
  const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000)
  directory.window = { start: day(20), end: day(22) }
  await tend()
  const { renewAt, nextLookAt } = await rowOf(OWN)
  expect(renewAt?.getTime()).toBeGreaterThanOrEqual(day(20).getTime())
  expect(renewAt?.getTime()).toBeLessThanOrEqual(day(22).getTime())
  expect(nextLookAt).toEqual(new Date(app.clock.now().getTime() + 6 * 3_600_000))
  // It is in a hurry: the certificate will be revoked.
  directory.window = { start: day(-2), end: day(-1) }
  app.clock.advance({ hours: 7 })
  await tend()
  expect(directory.orders.map(({ replaces }) => replaces !== null)).toEqual([false, true])
  // Its suggestion for the new one is as impossible, and is not followed in a circle.
  await tend()
  expect(directory.issued).toBe(2)
})

test('a certificate whose domain has gone is revoked and forgotten', async () => {
  const { id, name } = await aDomainWith([['autoconfig', 'autoconfig']])
  await tend()
  await app.db.deleteFrom('domainRecords').where('domainId', '=', id).execute()
  await app.db.deleteFrom('domains').where('id', '=', id).execute()
  const { chain } = await rowOf(`autoconfig.${name}`)
  app.clock.advance({ minutes: 1 })
  await tend()
  expect((await rows()).map((row) => row.name)).toEqual([FOR_MX, OWN])
  expect(directory.revoked).toEqual([new X509Certificate(chain ?? '').serialNumber])
  expect(app.logged('certificate-revoked')).toMatchObject([{ reason: 'cessationOfOperation' }])
})

test('a certificate that the operator revokes is followed by another', async () => {
  await tend()
  const { chain } = await rowOf(OWN)
  expect(await wantRevocation(app.db, OWN, 'keyCompromise', app.clock.now())).toBe(true)
  expect(await wantRevocation(app.db, 'x.example', 'keyCompromise', app.clock.now())).toBe(false)
  await tend()
  await tend()
  expect(directory.revoked).toEqual([new X509Certificate(chain ?? '').serialNumber])
  expect((await rowOf(OWN)).chain).not.toBe(chain)
  expect(directory.issued).toBe(2)
})
