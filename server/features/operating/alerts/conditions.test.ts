import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { readWaiting } from '#server/features/outbox/queue-queries.ts'
import { heldBackReplies } from '#server/features/sending/stops/stop-sending.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aClock } from '#test-world/clock.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { stopSender } from '../senders/senders.ts'
import { backupAge } from './backup-age.ts'
import { blockList } from './block-list.ts'
import { certificate, certificateTrouble, type Needed } from './certificate.ts'
import { UNSEEN } from './condition.ts'
import { conditions, conditionsWithoutDatabase } from './conditions.ts'
import { storeRefusals } from './count-refusals.ts'
import { databaseAway } from './database-away.ts'
import { disk, diskTrouble } from './disk.ts'
import { fastSender } from './fast-sender.ts'
import { queueAge, queueTrouble } from './queue-age.ts'
import { readRefusals } from './refusals-store.ts'
import { refusalTrouble, refusedMail } from './refused-mail.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test('each has a line in the docs, and each line has a condition', async () => {
  const page = await readFile('docs/operating/alerts.md', 'utf8')
  const described = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
  const names = [...conditions, ...conditionsWithoutDatabase].map(({ name }) => name)
  expect(described.toSorted()).toEqual(names.toSorted())
  expect(new Set(names).size).toBe(names.length)
})

describe('the disk', () => {
  const GB = 1e9
  test.each([
    ['half of it is free', 50 * GB, 100 * GB, null],
    ['a little of a large one', 50 * GB, 2_000 * GB, null],
    ['less than a tenth', 9.9 * GB, 100 * GB, 'has 9.9 GB of 100.0 GB free.'],
    ['less than 20 GB of a large one', 19 * GB, 2_000 * GB, 'has 19.0 GB of 2000.0 GB free.'],
    ['half of a tiny one', 0.4 * GB, 0.8 * GB, 'has 400 MB of 800 MB free.'],
    ['nothing', 0, 100 * GB, 'has 0 MB of 100.0 GB free.'],
  ])('%s', (_, freeBytes, sizeBytes, said) => {
    const sentence = said === null ? null : `The disk of DATA_DIR at ${hostname()} ${said}`
    expect(diskTrouble({ freeBytes, sizeBytes })).toBe(sentence)
  })

  test('is that of DATA_DIR', async () => {
    const config = { ...app.config, dataDir: '/proc' }
    expect(await disk.look({ ...app, config })).toBe(
      `The disk of DATA_DIR at ${hostname()} has 0 MB of 0 MB free.`,
    )
  })
})

describe('the queue', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const idle = { dueSince: null, oldestAt: null, late: 0, lateDomains: 0 }
  const late = (deliveries: number, domains: number) => ({
    ...{ dueSince: ago(-60), oldestAt: ago(5_000), late: deliveries, lateDomains: domains },
  })
  test.each([
    ['nothing waits', idle, 1_000, null],
    ['due for a moment', { ...idle, dueSince: ago(14) }, 1_000, null],
    ['due, and not tried', { ...idle, dueSince: ago(15) }, null, /not been tried for 15 minutes/],
    ['one server is away', late(50, 1), 100, null],
    ['a few are away', late(9, 9), 10, null],
    ['a usual share is late', late(40, 20), 1_000, null],
    ['much is late', late(51, 20), 1_000, /^51 deliveries .* 20 domains, .* 2026-11-17 00:40 UTC/],
    ['nothing is delivered', late(10, 3), 0, /^10 deliveries/],
    ['much is late, just after a start', late(51, 20), null, null],
  ])('%s', (_, waiting, perDay, said) => {
    const sentence = queueTrouble(waiting, perDay, now)
    if (said === null) expect(sentence).toBeNull()
    else expect(sentence).toMatch(said)
  })

  test('that waits: not what is held, stopped, suspended or shown at /dev/outbox', async () => {
    const queue = async (recipient: string, isHeld = false) =>
      enqueueMessage(app, app.db, {
        ...{ workspaceId: null, mailboxId: null, mailFrom: '', recipients: [recipient], isHeld },
        raw: Buffer.from('Subject: x\r\n\r\nx\r\n'),
      })
    const at = app.clock.now()
    await queue('a@shown.example', true)
    for (const name of ['held', 'stopped', 'one', 'two']) await queue(`a@${name}.example`)
    const change = (name: string, set: object) =>
      app.db
        .updateTable('deliveries')
        .set(set)
        .where('recipientDomain', '=', `${name}.example`)
        .execute()
    await change('held', { heldAt: at })
    await change('stopped', { lastReply: heldBackReplies[0], attempts: 1 })
    await change('one', { attempts: 3, lastReply: '451 later' })
    app.clock.advance({ hours: 2 })
    const next = new Date('2026-11-20T15:00:00Z')
    await change('one', { nextAttemptAt: next })
    await change('two', { nextAttemptAt: next })
    const read = (lateAfter: Date, lateBefore: Date) =>
      readWaiting(app.db, { lateAfter, lateBefore, notReplies: heldBackReplies })
    const found = { dueSince: next, oldestAt: at, late: 1, lateDomains: 1 }
    expect(await read(new Date(at.getTime() - 1), new Date(at.getTime() + 1))).toEqual(found)
    expect(await read(new Date(0), new Date(at.getTime() - 1))).toEqual({
      ...found,
      ...{ late: 0, lateDomains: 0 },
    })
    expect(await queueAge.look(app)).toBeNull()
    app.clock.set(new Date('2026-11-20T15:20:00Z'))
    expect(await queueAge.look(app)).toMatch(/not been tried for 20 minutes/)
    await app.db.deleteFrom('outboxMessages').execute()
    expect(await queueAge.look(app)).toBeNull()
  })

  test('is late by the share of what this process delivers', async () => {
    const own = await anApp({ database: app.database, clock: aClock() })
    await queueAge.look(own)
    for (let n = 0; n < 12; n++)
      await enqueueMessage(own, own.db, {
        ...{ workspaceId: null, mailboxId: null, mailFrom: '', recipients: [`a@d${n}.example`] },
        ...{ raw: Buffer.from('Subject: x\r\n\r\nx\r\n'), notBefore: new Date('2027-01-01') },
      })
    await own.db.updateTable('deliveries').set({ attempts: 2, lastReply: '451 later' }).execute()
    own.clock.advance({ minutes: 90 })
    expect(await queueAge.look(own)).toMatch(/^12 deliveries .* 12 domains/)
    own.counters.add('deliveries', { result: 'delivered' }, 10)
    own.counters.add('deliveries', { result: 'deferred' }, 500)
    expect(await queueAge.look(own)).not.toBeNull()
    // 240 in 90 minutes are 3840 a day, of which 12 are few.
    own.counters.add('deliveries', { result: 'delivered' }, 230)
    expect(await queueAge.look(own)).toBeNull()
    await own.db.deleteFrom('outboxMessages').execute()
    await own.close()
  })
})

describe('certificates', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const days = (n: number) => new Date(now.getTime() + n * 86_400_000)
  const aName = (name: string, issued: number, expires: number, trouble = ''): Needed => ({
    ...{ name, issuedAt: days(issued), expiresAt: days(expires), createdAt: days(-400), trouble },
  })
  const none = (createdAt: Date, trouble = ''): Needed => ({
    ...{ name: 'mx.example', issuedAt: null, expiresAt: null, createdAt, trouble },
  })
  test.each([
    ['young', [aName('mx.example', -1, 89)], [], null],
    ['about to be renewed', [aName('mx.example', -75, 15)], [], null],
    ['not renewed', [aName('mx.example', -77, 13)], [], /mx\.example runs out at 2026-12-03 12:00/],
    ['of six days, young', [aName('mx.example', -3, 3)], [], null],
    ['of six days, not renewed', [aName('mx.example', -5, 1)], [], /runs out at 2026-11-21/],
    ['gone', [aName('mx.example', -91, -1, 'No.')], [], /ran out at 2026-11-19 12:00 UTC\. No\.$/],
    ['none for a moment', [none(new Date(now.getTime() - 60_000))], [], null],
    ['none for a day', [none(days(-1), 'It leads elsewhere.')], [], /^mx\.example has no certif/],
    ['many', [1, 2, 3, 4, 5].map((n) => aName(`m${n}`, -80, 1)), [], /2 more of our names\.$/],
    ["a customer's, refused", [], [aName('x.customer.example', -80, 5)], /are refused: 1\.$/],
    ["a customer's first, refused", [], [none(days(-1), 'Refused.')], null],
  ])('%s', (_, own, others, said) => {
    const sentence = certificateTrouble(own, others, now)
    if (said === null) expect(sentence).toBeNull()
    else expect(sentence).toMatch(said)
    expect(sentence ?? '').not.toContain('customer.example')
  })

  test('are read where they are kept: own names, and those that a door shows', async () => {
    const acme = { directoryUrl: 'https://ca.example/', email: null, caFile: null }
    const clock = aClock(now)
    const config = { acme, mailHost: 'mail.host.example' }
    const own = await anApp({ database: app.database, clock, config })
    const row = { isOwn: true, workspaceId: null, domainId: null, nextLookAt: days(1) }
    const rows = [
      { name: 'mail.host.example', issuedAt: days(-80), expiresAt: days(4), trouble: 'Refused.' },
      // Nobody has to let that lead here.
      { name: 'autoconfig.host.example', trouble: 'It has no address.' },
    ].map((each) => ({ ...row, ...each, createdAt: days(-80) }))
    for (const each of rows) await own.db.insertInto('certificates').values(each).execute()
    expect(await certificate.look(own)).toBe(
      'The certificate of mail.host.example runs out at 2026-11-24 12:00 UTC. Refused.',
    )
    expect(await certificate.look({ ...own, config: { ...own.config, acme: null } })).toBeNull()
    await own.certificates.load()
    const shown = { ...own, config: { ...own.config, acme: null } }
    expect(await certificate.look(shown)).toBeNull()
    clock.advance({ days: 100_000 })
    expect(await certificate.look(shown)).toMatch(/^The certificate of mail\.host\.example ran out/)
    await own.db.deleteFrom('certificates').execute()
    await own.close()
  })
})

test('block lists are asked once an hour for public addresses, and an answer that is missing changes nothing', async () => {
  const dns = await aDnsServer()
  for (const zone of ['spamhaus.org', 'barracudacentral.org', 'spamcop.net']) dns.zone(zone)
  const servers = { servers: [dns.address], port: dns.port, allowLoopbackPeers: true }
  const own = await anApp({
    ...{ database: app.database, dns: openDns({ ...servers, timeoutMs: 10_000 }) },
    config: { mailIps: ['192.0.2.25', '127.0.0.1', '10.0.0.7'] },
  })
  const look = async (minutes: number) => {
    own.clock.advance({ minutes })
    dns.queries.length = 0
    return blockList.look(own)
  }
  for (const zone of ['spamhaus.org', 'barracudacentral.org', 'spamcop.net'])
    dns.behave(zone, 'refused')
  expect(await look(0)).toBe(UNSEEN)
  for (const zone of ['spamhaus.org', 'barracudacentral.org', 'spamcop.net']) dns.behave(zone, null)
  expect(await look(60)).toBeNull()
  expect(dns.queries.map(({ name }) => name).toSorted()).toEqual([
    '25.2.0.192.b.barracudacentral.org',
    '25.2.0.192.bl.spamcop.net',
    '25.2.0.192.zen.spamhaus.org',
  ])
  dns.set('25.2.0.192.zen.spamhaus.org', 'A', ['127.0.0.2'])
  expect(await look(59)).toBeNull()
  expect(dns.queries).toEqual([])
  const listed =
    '192.0.2.25, which sends our mail, is on the block list zen.spamhaus.org (https://check.spamhaus.org/).'
  expect(await look(1)).toBe(listed)
  // The list turns our resolver away from now on.
  dns.set('25.2.0.192.zen.spamhaus.org', 'A', ['127.255.255.254'])
  expect(await look(60)).toBe(listed)
  dns.remove('25.2.0.192.zen.spamhaus.org')
  expect(await look(60)).toBeNull()
  const relayed = { ...own, config: { ...own.config, relayUrl: 'smtp://relay.example' } }
  dns.queries.length = 0
  expect(await blockList.look(relayed)).toBeNull()
  expect(dns.queries).toEqual([])
  await own.close()
  await dns.close()
})

describe('refused mail', () => {
  const now = new Date('2026-11-20T12:04:00Z')
  /** `hours` of slots with as many refusals each, then three with more. */
  const slots = (hours: number, usual: number, recent: number, why = 'rule') =>
    Array.from({ length: hours * 12 + 3 }, (_, n) => ({
      slot: new Date(Date.UTC(2026, 10, 20, 12) - n * 300_000),
      ...(n < 3 ? { why, refusals: recent } : { why: 'rule', refusals: usual }),
    }))
  test.each([
    ['as usual', slots(24, 100, 110), null],
    ['nothing at all', [], null],
    ['a small server that is scanned', slots(24, 0, 60), null],
    ['a small server under attack', slots(24, 0, 67), /^201 mails .* usual are 0\. .* a rule/],
    ['three times as much', slots(24, 100, 300), null],
    ['five times as much', slots(24, 100, 500, 'fault'), /^1500 .* usual are 300\. .*: a fault of/],
    ['much, where nothing is known yet', slots(0, 0, 500), null],
    ['much after an hour', slots(1, 10, 500), /^1500 mails .* usual are 30\./],
  ])('%s', (_, rows, said) => {
    const sentence = refusalTrouble(rows, now)
    if (said === null) expect(sentence).toBeNull()
    else expect(sentence).toMatch(said)
  })

  test('is added up over processes, also of a time when nothing is refused', async () => {
    const clock = aClock()
    const doors = [
      await anApp({ database: app.database, clock }),
      await anApp({ database: app.database, clock }),
    ]
    const refuse = (door: TestApp, why: 'rule' | 'fault', times: number) => {
      const client = { ip: '192.0.2.7', network: '192.0.2.7', helo: 'mx.stranger.example' }
      for (let n = 0; n < times; n++)
        door.logEvent('mail-refused', {
          ...{ ...client, at: 'recipient', from: '', to: [], reply: '550', why },
        })
    }
    /** Looks as the loops do, each minute. */
    const pass = async (minutes: number) => {
      for (let n = 0; n < minutes; n++) {
        clock.advance({ minutes: 1 })
        await Promise.all(doors.map(storeRefusals))
      }
    }
    const [one, two] = doors as [TestApp, TestApp]
    refuse(one, 'rule', 5)
    await pass(90)
    expect(await refusedMail.look(one)).toBeNull()
    refuse(one, 'rule', 120)
    refuse(two, 'rule', 60)
    refuse(two, 'fault', 30)
    await pass(2)
    expect(await refusedMail.look(one)).toBe(
      '210 mails were refused in the last 15 minutes; usual are 1. Most of them: by a rule, such as an unknown recipient.',
    )
    await pass(20)
    expect(await refusedMail.look(two)).toBeNull()
    await pass(1)
    const kept = await readRefusals(app.db, new Date(0))
    expect(kept.reduce((sum, { refusals }) => sum + refusals, 0)).toBe(215)
    clock.advance({ days: 3 })
    await pass(1)
    expect(await readRefusals(app.db, new Date(0))).toHaveLength(1)
    for (const door of doors) await door.close()
  })
})

test('a database that is away is told together with a full disk', async () => {
  const config = { ...app.config, dataDir: '/proc' }
  expect(await databaseAway.look(app)).toBeNull()
  app.readiness.setAway('database', true)
  expect(await databaseAway.look({ ...app, config })).toMatch(
    /^The database is away: .*\. The disk of DATA_DIR at \S+ has 0 MB of 0 MB free\.$/,
  )
  app.readiness.setAway('database', false)
})

describe('the backup', () => {
  test('is missed a day after the last whole one, with what the last try said', async () => {
    const at = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000)
    const seen = (hours: number, place: string | null = '/mnt/backup') =>
      backupAge.look({
        ...app,
        config: { ...app.config, backup: { ...app.config.backup, place } },
        clock: aClock(at(hours)),
      })
    expect(await seen(0)).toBe(null)
    const row = { place: '/mnt/backup', rows: 1, blobs: 1, missing: 0, writtenBytes: 1 }
    const tried = (id: string, startedAt: Date, snapshot: string | null, error: string) =>
      app.db
        .insertInto('backups')
        .values({ ...row, id, startedAt, endedAt: startedAt, snapshot, error })
        .execute()
    await tried('00000000-0000-7000-8000-000000000001', at(0), null, 'The disk is full.')
    expect(await seen(1)).toBe('The last try to back up failed: The disk is full.')
    expect(await seen(1, '/mnt/other')).toBe(null)
    await tried('00000000-0000-7000-8000-000000000002', at(27), '20261121T150000Z', '')
    expect(await seen(28)).toBe(null)
    expect(await seen(54)).toMatch(/^The last whole backup began at .* UTC\.$/)
    expect(await seen(54, null)).toBe(null)
  })
})

describe('a mailbox that writes to many at once', () => {
  const write = async (recipients: number[], minutesAgo = 0) => {
    const mailbox = await aMailbox(app)
    const { id: mailboxId, workspaceId } = mailbox
    const at = new Date(app.clock.now().getTime() - minutesAgo * 60_000)
    await app.db
      .insertInto('sendings')
      .values(
        recipients.map((each) => ({
          ...{ id: crypto.randomUUID(), workspaceId, mailboxId, at },
          ...{ recipients: each, newRecipients: 0 },
        })),
      )
      .execute()
    return mailbox
  }
  afterEach(async () => {
    await app.db.deleteFrom('sendings').execute()
  })

  test('is told without its name, from a hundred recipients in a quarter of an hour on', async () => {
    await write([50, 49])
    await write([200], 16)
    expect(await fastSender.look(app)).toBeNull()
    const { email } = await write([60, 60])
    const said = await fastSender.look(app)
    expect(said).toBe('A mailbox wrote to 120 recipients outside in 15 minutes.')
    expect(said).not.toContain(email)
    await write([100])
    expect(await fastSender.look(app)).toBe(
      'A mailbox wrote to 120 recipients outside in 15 minutes. So it is with 1 more.',
    )
  })

  test('is told no more once it is stopped', async () => {
    const { id } = await write([150])
    await stopSender(app, 'terminal', id, { reason: 'Stolen', queued: 'hold' })
    expect(await fastSender.look(app)).toBeNull()
  })
})
