/** Each check in a world that lacks something, until it does not. */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HealthCheck, HealthFinding } from '#contract/operator/health.ts'
import type { Config } from '#server/config.ts'
import { systemKeyOf } from '#server/features/outbox/send-system-mail.ts'
import { startJobs } from '#server/jobs/runner.ts'
import { systemClock } from '#server/lib/clock.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { selfSigned } from '#server/lib/tls/self-signed.ts'
import { watchName } from '#server/storage/connection-count.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { freePort } from '#test-world/free-port.ts'
import {
  anHttpsServer,
  aTrustedCertificate,
  type HttpsServer,
} from '#test-world/outgoing/https-server.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { checkAddress } from './check-address.ts'
import { checkClock } from './check-clock.ts'
import { checkInstallation } from './check-installation.ts'
import { roomOf } from './check-machine.ts'
import type { HealthApp } from './finding.ts'

const HOST = 'mail.host.example'
const IP = '127.0.0.1'
const REVERSE = '1.0.0.127.in-addr.arpa'

let dns: TestDns
/** Another mail server, and at the address of MAIL_HOST ours. */
let peer: SmtpPeer
let web: HttpsServer
/** What the web answers. */
let page: { status: number; body: string }
let app: TestApp
beforeAll(async () => {
  dns = await aDnsServer()
  for (const zone of ['host.example', 'in-addr.arpa', 'gmail.com', 'yahoo.com']) dns.zone(zone)
  peer = await aSmtpPeer({
    behave: (stage) => (stage === 'connect' ? `220 ${HOST} ESMTP` : undefined),
  })
  web = await anHttpsServer(aTrustedCertificate(HOST), (_, reply) => {
    reply.writeHead(page.status, { 'content-type': 'application/json' }).end(page.body)
  })
  app = await anApp({
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
    config: {
      ...{ mailHost: HOST, mailIps: [IP], mxPort: peer.port, systemMail: 'send', isLocal: false },
      publicUrl: `https://${HOST}:${web.port}`,
    },
  })
  app.clock.set(new Date())
})
afterAll(async () => {
  await app.close()
  await Promise.all([web.close(), peer.close(), dns.close()])
})
beforeEach(() => {
  page = { status: 200, body: '{"status":"ready"}' }
  dns.set(HOST, 'A', [IP])
  dns.set(REVERSE, 'PTR', [`${HOST}.`])
  dns.set('gmail.com', 'MX', ['5 mx.gmail.com'])
  dns.set('mx.gmail.com', 'A', [IP])
})

const withConfig = (config: Partial<Config>): HealthApp => ({
  ...app,
  config: { ...app.config, ...config },
})

/** What one check finds, without its name. */
const found = async (check: HealthCheck, of: HealthApp = app, limitMs?: number) => {
  const { items } = await checkInstallation(of, limitMs)
  const mine = items.filter((item) => item.check === check)
  expect(mine.length).toBeGreaterThan(0)
  return mine
}

const one = async (check: HealthCheck, of?: HealthApp): Promise<HealthFinding> => {
  const [first, ...more] = await found(check, of)
  expect(more).toEqual([])
  if (first === undefined) throw new Error('nothing was found')
  return first
}

const isGood = { state: 'good', mending: '', remedy: null }

test('what is wrong comes first, and each fault says how to mend it', async () => {
  dns.remove(REVERSE)
  const { items, checkedAt } = await checkInstallation(app)
  expect(checkedAt).toBe(app.clock.now().toISOString())
  const states = items.map(({ state }) => state)
  const order = ['wrong', 'unknown', 'good']
  expect(states).toEqual(states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  expect(new Set(states)).toEqual(new Set(order))
  for (const { state, says, mending } of items) {
    expect(says).toMatch(/\S.*[.:]|: \S/)
    if (state === 'wrong') expect(mending, says).toMatch(/\.$/)
  }
})

describe('names', () => {
  test('a trial is told so, and asks nobody outside', async () => {
    const asked = dns.queries.length
    const trial = withConfig({ allowLoopbackPeers: false, publicUrl: 'http://localhost:8080' })
    const { items } = await checkInstallation(trial)
    expect(items[0]).toMatchObject({
      ...{ check: 'names', state: 'wrong' },
      says: expect.stringContaining('This is a trial: PUBLIC_URL'),
      remedy: { kind: 'setting', text: expect.stringContaining('MAIL_HOST=') },
    })
    expect(items.map(({ check }) => check)).not.toContain('port-out')
    expect(dns.queries.length).toBe(asked)
  })

  test('mail of the installation that is kept is a fault, except where it is only reached from here', async () => {
    expect(await one('system-mail')).toMatchObject(isGood)
    const kept = withConfig({ systemMail: 'outbox' })
    expect(await one('system-mail', kept)).toMatchObject({
      ...{ state: 'wrong', remedy: { kind: 'setting', text: 'SYSTEM_MAIL=send' } },
    })
    const local = withConfig({ systemMail: 'outbox', isLocal: true })
    expect(await one('system-mail', local)).toMatchObject(isGood)
  })
})

describe('DNS', () => {
  test('the name servers see the Internet', async () => {
    expect(await one('name-servers')).toMatchObject({
      ...{ ...isGood, says: expect.stringContaining('know the mail servers of gmail.com') },
    })
    dns.remove('gmail.com', 'MX')
    dns.remove('yahoo.com', 'MX')
    const remedy = { kind: 'setting' }
    expect(await one('name-servers')).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('know no mail server of'), remedy },
    })
    for (const name of ['gmail.com', 'yahoo.com', 'outlook.com']) dns.behave(name, 'refused')
    expect(await one('name-servers')).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('do not answer'), remedy },
    })
    for (const name of ['gmail.com', 'yahoo.com', 'outlook.com']) dns.behave(name, null)
  })

  test('MAIL_HOST has an address, and every address that sends is one of them', async () => {
    dns.remove(HOST, 'A')
    expect(await one('address')).toMatchObject({
      ...{ state: 'wrong', says: `${HOST} has no address in DNS, so no mail can come to it.` },
      remedy: { kind: 'record', name: HOST, type: 'A', value: IP },
    })
    dns.set(HOST, 'A', ['127.0.0.9'])
    expect(await one('address')).toMatchObject({
      says: `Mail is sent from ${IP}, but ${HOST} leads to 127.0.0.9.`,
    })
    dns.set(HOST, 'A', [IP])
    expect(await one('address')).toMatchObject({ ...isGood, says: `${HOST} leads to ${IP}.` })
    const closed = withConfig({ allowLoopbackPeers: false, mailIps: [] })
    expect((await checkAddress(closed))[0]).toMatchObject({
      says: `${HOST} leads to ${IP}, which is no address of the public Internet.`,
    })
    dns.behave(HOST, 'servfail')
    expect(await one('address')).toMatchObject({ state: 'unknown' })
    dns.behave(HOST, null)
  })

  test('the reverse name is MAIL_HOST, and leads back', async () => {
    const remedy = { kind: 'record', name: REVERSE, type: 'PTR', value: HOST }
    expect(await one('reverse-name')).toMatchObject(isGood)
    dns.remove(REVERSE)
    expect(await one('reverse-name')).toMatchObject({ state: 'wrong', remedy })
    dns.set(REVERSE, 'PTR', ['host-1.host.example'])
    expect(await one('reverse-name')).toMatchObject({
      ...{ state: 'wrong', remedy },
      says: expect.stringContaining('does not lead back'),
    })
    dns.set('host-1.host.example', 'A', [IP])
    expect(await one('reverse-name')).toMatchObject({
      ...{ state: 'wrong', remedy },
      says: expect.stringContaining('is named host-1.host.example, and not'),
    })
    dns.set(REVERSE, 'PTR', [HOST])
    dns.set(HOST, 'A', ['127.0.0.9'])
    expect(await one('reverse-name')).toMatchObject({
      remedy: { kind: 'record', name: HOST, type: 'A', value: IP },
    })
    dns.behave(REVERSE, 'refused')
    expect(await one('reverse-name')).toMatchObject({ state: 'unknown' })
    dns.behave(REVERSE, null)
  })

  test('the records of MAIL_HOST are told to be published, until they are there', async () => {
    expect((await found('records')).map(({ state }) => state)).toEqual([
      'wrong',
      'wrong',
      'unknown',
    ])
    await systemKeyOf(app, app.db)
    const missing = await found('records')
    expect(missing).toHaveLength(3)
    for (const { state, remedy } of missing) {
      expect(state).toBe('wrong')
      if (remedy?.kind !== 'record') throw new Error('no record')
      dns.set(remedy.name, 'TXT', [remedy.value.match(/.{1,255}/gs) ?? []])
    }
    expect(await one('records')).toMatchObject(isGood)
    dns.behave(`_dmarc.${HOST}`, 'servfail')
    expect(await one('records')).toMatchObject({ state: 'unknown', remedy: null })
    dns.behave(`_dmarc.${HOST}`, null)
  })

  test('a name with control characters in it reaches no terminal', async () => {
    dns.set(REVERSE, 'PTR', ['a\u001b[2Jb.host.example'])
    expect((await one('reverse-name')).says).not.toMatch(/\p{Cc}/u)
  })
})

describe('port 25', () => {
  test('outwards: one large mail server that opens is enough', async () => {
    dns.set('yahoo.com', 'MX', ['1 nowhere.yahoo.com'])
    expect(await one('port-out')).toMatchObject({
      ...{ ...isGood, says: `mx.gmail.com was reached at port ${peer.port}.` },
    })
    const closed = withConfig({ mxPort: await freePort() })
    expect(await one('port-out', closed)).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('the network blocks outgoing mail') },
      remedy: { kind: 'setting', text: expect.stringContaining('RELAY_URL=') },
    })
    dns.remove('gmail.com', 'MX')
    dns.remove('yahoo.com', 'MX')
    expect(await one('port-out')).toMatchObject({ state: 'unknown' })
  })

  test('outwards by a relay: only the relay is tried', async () => {
    const relay = (port: number) => withConfig({ relayUrl: `smtp://ada:secret@127.0.0.1:${port}` })
    expect(await one('port-out', relay(peer.port))).toMatchObject(isGood)
    const gone = await one('port-out', relay(await freePort()))
    expect(gone).toMatchObject({ state: 'wrong' })
    expect(gone.says).not.toContain('secret')
  })

  test('inwards: we answer there, and not another server, or nobody', async () => {
    expect(await one('port-in')).toMatchObject(isGood)
    const other = await aSmtpPeer({ host: '127.0.0.7', port: peer.port })
    dns.set(HOST, 'A', ['127.0.0.7'])
    expect(await one('port-in')).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('Another mail server answers') },
      remedy: { kind: 'command' },
    })
    await other.close()
    expect(await one('port-in')).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('Nothing answers') },
      remedy: { kind: 'setting', text: 'SMTP_PORT=25\nMAIL_LISTEN=0.0.0.0' },
    })
  })

  test('inwards: behind a router silence is not known to be a fault', async () => {
    dns.set(HOST, 'A', ['10.255.255.254'])
    expect(await one('port-in')).toMatchObject({
      ...{ state: 'unknown', mending: expect.stringContaining('from another network') },
      remedy: { kind: 'command', text: `nc -w 5 ${HOST} 25` },
    })
  })

  test('inwards: who talks without end is heard for half a kilobyte', async () => {
    const endless = createTcpServer((socket) => {
      const more = setInterval(() => socket.write('2'.repeat(1_000)), 1)
      socket.on('error', () => {}).once('close', () => clearInterval(more))
    }).listen(peer.port, '127.0.0.8')
    await once(endless, 'listening')
    dns.set(HOST, 'A', ['127.0.0.8'])
    expect(await one('port-in')).toMatchObject({ state: 'wrong' })
    endless.close()
    await once(endless, 'close')
  })
})

describe('block lists', () => {
  const lists = ['zen.spamhaus.org', 'b.barracudacentral.org', 'bl.spamcop.net']
  beforeEach(() => {
    for (const list of lists) dns.set(`2.0.0.127.${list}`, 'A', ['127.0.0.2'])
    for (const list of lists) dns.remove(`1.0.0.127.${list}`)
  })

  test('an address on none of them is told with their names', async () => {
    expect(await one('block-lists')).toMatchObject({
      ...isGood,
      says: `${IP}: not on ${lists.join(', ')}.`,
    })
  })

  test('a listing is a fault, with the page that ends it', async () => {
    dns.set('1.0.0.127.zen.spamhaus.org', 'A', ['127.0.0.4'])
    const [listed, rest] = await found('block-lists')
    expect(listed).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining(`${IP} is on the block list zen`) },
      remedy: { kind: 'page', text: expect.stringMatching(/^https:.*127\.0\.0\.1$/) },
    })
    expect(rest).toMatchObject({ state: 'good', says: expect.stringContaining('bl.spamcop.net') })
  })

  test.each([
    ['a refusal', () => dns.set('1.0.0.127.zen.spamhaus.org', 'A', ['127.255.255.254'])],
    ['another address', () => dns.set('1.0.0.127.zen.spamhaus.org', 'A', ['192.0.2.1'])],
    [
      'a list that does not name what every list names',
      () => dns.remove('2.0.0.127.zen.spamhaus.org'),
    ],
  ])('%s is no listing, and no all-clear', async (_, answer) => {
    answer()
    const [silent, rest] = await found('block-lists')
    expect(silent).toMatchObject({
      ...{ state: 'unknown', says: 'zen.spamhaus.org gives no answer to these name servers.' },
    })
    expect(rest?.says).not.toContain('zen')
  })
})

describe('the web address', () => {
  test('answers with a certificate that browsers take', async () => {
    expect(await one('web')).toMatchObject({
      state: 'good',
      says: expect.stringMatching(/for 9 days more\.$/),
    })
    const late = { ...app, clock: { now: () => new Date(Date.now() + 5 * 86_400_000) } }
    expect(await one('web', late)).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('runs out in 4 days'),
    })
  })

  test('is tried at each address', async () => {
    dns.set(HOST, 'A', [IP, '127.0.0.6'])
    expect(await one('web')).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('(127.0.0.6) cannot be reached') },
    })
  })

  test('is ours, and ready', async () => {
    page = { status: 200, body: '<h1>Welcome to nginx</h1>' }
    expect(await one('web')).toMatchObject({
      says: expect.stringContaining('Something else answers'),
    })
    page = { status: 503, body: '{"type":"UNAVAILABLE","data":{"parts":["database"]}}' }
    expect(await one('web')).toMatchObject({ says: expect.stringContaining('"database"') })
    page = { status: 200, body: 'x'.repeat(10_000_000) }
    expect(await one('web')).toMatchObject({
      says: expect.stringContaining('Something else answers'),
    })
  })

  test('has a certificate for its name, and encryption', async () => {
    const other = await anHttpsServer(selfSigned('other.example', new Date(), 10), (_, reply) =>
      reply.end(page.body),
    )
    const wrongName = withConfig({ publicUrl: `https://${HOST}:${other.port}` })
    expect(await one('web', wrongName)).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('Browsers warn') },
      remedy: { kind: 'setting', text: expect.stringContaining('ACME=on') },
    })
    await other.close()
    expect(await one('web', wrongName)).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('cannot be reached') },
    })
    const nowhere = withConfig({ publicUrl: 'https://none.host.example' })
    expect(await one('web', nowhere)).toMatchObject({
      remedy: { kind: 'record', name: 'none.host.example', type: 'A' },
    })
  })
})

describe('the certificate for mail', () => {
  test('a self-signed one is a fault', async () => {
    expect(await one('certificate')).toMatchObject({ state: 'wrong', remedy: { kind: 'setting' } })
  })

  test('that of TLS_CERT is for MAIL_HOST, and not about to run out', async () => {
    const file = join(app.config.dataDir, 'cert.pem')
    const of = withConfig({ tlsCertFile: file, tlsKeyFile: file })
    expect(await one('certificate', of)).toMatchObject({ state: 'unknown' })
    await writeFile(file, selfSigned(HOST, new Date(), 60).cert)
    expect(await one('certificate', of)).toMatchObject({
      state: 'good',
      says: expect.stringMatching(/good for (59|60) days more\.$/),
    })
    await writeFile(file, selfSigned('other.example', new Date(), 60).cert)
    expect(await one('certificate', of)).toMatchObject({
      says: expect.stringContaining('not for MAIL_HOST'),
    })
    await rm(file)
  })

  test('that of a directory is there, or its trouble is told', async () => {
    const of = withConfig({
      acme: { directoryUrl: 'https://ca.example', email: null, caFile: null },
    })
    expect(await one('certificate', of)).toMatchObject({
      says: `No certificate was asked for ${HOST} yet.`,
    })
    const now = app.clock.now()
    const nextLookAt = now
    await app.db
      .insertInto('certificates')
      .values({
        ...{ name: HOST, isOwn: true, workspaceId: null, domainId: null },
        nextLookAt,
        createdAt: now,
      })
      .execute()
    const set = (change: object) =>
      app.db.updateTable('certificates').set(change).where('name', '=', HOST).execute()
    expect(await one('certificate', of)).toMatchObject({ state: 'unknown' })
    await set({ trouble: 'It leads elsewhere.' })
    expect(await one('certificate', of)).toMatchObject({
      ...{ state: 'wrong', says: `${HOST} gets no certificate: It leads elsewhere.` },
      remedy: { kind: 'command', text: `npm run operator -- certificate ask ${HOST}` },
    })
    await set({ trouble: '', expiresAt: new Date(now.getTime() + 30 * 86_400_000) })
    expect(await one('certificate', of)).toMatchObject({
      ...isGood,
      says: `That of ${HOST} is good for 30 days more.`,
    })
    await set({ expiresAt: new Date(now.getTime() - 1_000) })
    expect(await one('certificate', of)).toMatchObject({
      says: `The certificate of ${HOST} has run out.`,
    })
  })
})

describe('the machine', () => {
  test('the clock agrees with one of others, or is told to be wrong', async () => {
    expect(await one('clock')).toMatchObject({ state: 'unknown', remedy: { kind: 'command' } })
    let date = ''
    const server = createServer((_, reply) => void reply.writeHead(200, { date }).end()).listen(
      0,
      IP,
    )
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const places = [
      { host: HOST, port },
      { host: 'gone.host.example', port },
    ]
    const at = async (now: Date) => {
      date = now.toUTCString()
      const [first] = await checkClock(app, places)
      return first
    }
    const now = app.clock.now().getTime()
    expect(await at(new Date(now - 10_000))).toMatchObject({ ...isGood })
    expect(await at(new Date(now + 600_000))).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('10 minutes behind that of others') },
    })
    date = 'yesterday'
    expect(await checkClock(app, places)).toMatchObject([{ state: 'unknown' }])
    server.close()
  })

  test('a clock that nobody else tells is compared with that of another machine’s database', async () => {
    const apart = (ms: number) => ({
      ...withConfig({ databaseUrl: 'postgresql://ada@db.host.example/mail' }),
      clock: { now: () => new Date(Date.now() + ms) },
    })
    expect(await checkClock(apart(0))).toMatchObject([
      { says: 'It agrees with that of the database.' },
    ])
    expect(await checkClock(apart(90_000))).toMatchObject([
      { state: 'wrong', says: expect.stringMatching(/^The clock is (89|90) seconds ahead of/) },
    ])
  })

  test.each([
    [500e6, 8e9, 'wrong'],
    [1.1e9, 8e9, 'good'],
    [4e9, 100e9, 'wrong'],
    [6e9, 100e9, 'good'],
    [11e9, 4e12, 'good'],
    [9e9, 4e12, 'wrong'],
  ])('%d bytes free of %d is %s', (free, size, state) => {
    expect(roomOf('/data', free, size)).toMatchObject({ state })
  })

  test('the disk and the database are looked at; what cannot be is not known', async () => {
    expect((await one('disk')).says).toContain(app.config.dataDir)
    expect(await one('database')).toMatchObject({
      state: 'good',
      says: expect.stringContaining('PostgreSQL'),
    })
    const elsewhere = withConfig({ dataDir: '/nowhere/at/all' })
    expect(await one('disk', elsewhere)).toMatchObject({ state: 'unknown' })
  })

  test('processes that may open more connections than PostgreSQL takes', async () => {
    const running = async (most: number) => {
      const watch = new pg.Client({
        ...app.connection,
        application_name: watchName(most),
      })
      await watch.connect()
      return watch
    }
    const first = await running(33)
    expect(await one('database')).toMatchObject({
      state: 'good',
      says: expect.stringContaining('the processes may open 33 of them.'),
    })
    const second = await running(967)
    expect(await one('database')).toMatchObject({
      state: 'wrong',
      says: expect.stringMatching(/ may open 1000 connections to PostgreSQL, which takes \d{3}: /),
      remedy: { kind: 'setting', text: 'max_connections = 1200' },
    })
    await Promise.all([first.end(), second.end()])
    // Nothing is left of processes that ended.
    await expect.poll(async () => (await one('database')).says).not.toContain('may open')
  })

  test('backups that nobody makes, that are late, or that lie beside the mail', async () => {
    const one = async (place: string | null) => {
      const config = { ...app.config, backup: { ...app.config.backup, place } }
      const { items } = await checkInstallation({ ...app, config })
      return items.find(({ check }) => check === 'backups')
    }
    expect(await one(null)).toMatchObject({
      ...{
        state: 'wrong',
        remedy: { kind: 'setting', text: expect.stringMatching(/^BACKUP_URL=/) },
      },
    })
    const elsewhere = '/proc'
    expect(await one(elsewhere)).toMatchObject({
      state: 'unknown',
      says: 'The first backup comes at 03:00 UTC.',
    })
    const hours = (n: number) => new Date(app.clock.now().getTime() - n * 3_600_000)
    const row = { rows: 1, blobs: 1, missing: 0, writtenBytes: 1 }
    const tried = (startedAt: Date, snapshot: string | null, error: string, place = elsewhere) =>
      app.db
        .insertInto('backups')
        .values({
          ...row,
          place,
          id: newId(startedAt.getTime()),
          startedAt,
          endedAt: startedAt,
          snapshot,
          error,
        })
        .execute()
    await tried(hours(50), '20261118T100000Z', '')
    await tried(hours(1), null, 'The bucket is away.')
    expect(await one(elsewhere)).toMatchObject({
      state: 'wrong',
      says: expect.stringMatching(/failed: The bucket is away\.$/),
    })
    await tried(hours(0), '20261120T120000Z', '')
    expect(await one(elsewhere)).toMatchObject({ state: 'good' })
    await tried(hours(0), '20261120T120000Z', '', app.config.dataDir)
    expect(await one(app.config.dataDir)).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('same disk'),
    })
    await app.db.deleteFrom('backups').execute()
  })

  test('jobs that nobody runs are a fault', async () => {
    expect(await one('jobs')).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('yet'),
    })
    const jobs = await startJobs({ ...app, clock: systemClock }, [])
    await jobs.close()
    expect(await one('jobs')).toMatchObject({ state: 'wrong' })
    const some = await startJobs({ ...app, clock: systemClock }, [
      { name: 'look', cron: '* * * * *', run: async () => {}, catchUpHours: 0 },
    ])
    await some.close()
    expect(await one('jobs')).toMatchObject(isGood)
    const later = { ...app, clock: { now: () => new Date(Date.now() + 7 * 60_000) } }
    expect(await one('jobs', later)).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('for 7 minutes'),
    })
  })
})

test('what takes too long is not known, and holds up nothing else', async () => {
  dns.behave(HOST, 'silent')
  const items = await found('address', app, 50)
  expect(items).toMatchObject([{ state: 'unknown', says: 'It took too long to find out.' }])
  expect(await found('names', app, 50)).toMatchObject([{ state: 'good' }])
  dns.behave(HOST, null)
})
