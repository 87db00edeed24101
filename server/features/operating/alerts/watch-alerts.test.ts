import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeQueue } from '#server/features/operating/queue.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { type RunningApp, startApp } from '#server/start-app.ts'
import { anApp, type TestApp, testConfig } from '#test-world/app.ts'
import { aDatabaseSwitch } from '#test-world/postgres/database-switch.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { listAlerts, showAlerts } from './operate-alerts.ts'
import { watchAlerts } from './watch-alerts.ts'

type Posted = { alert: string; state: string; sentence: string; since: string }

let web: Server
let posted: Posted[]
let status: number
let peer: SmtpPeer
let app: TestApp
beforeEach(async () => {
  posted = []
  status = 200
  web = createServer(async (request, response) => {
    posted.push((await json(request)) as Posted)
    response.writeHead(status).end()
  })
  await once(web.listen(0, '127.0.0.1'), 'listening')
  peer = await aSmtpPeer()
  app = await anApp({ config: alertConfig() })
})
afterEach(async () => {
  web.closeAllConnections()
  web.close()
  await peer.close()
  await app.close()
})

const alertConfig = () => ({
  alertUrl: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
  alertRelay: {
    url: `smtp://127.0.0.1:${peer.port}`,
    ...{ from: 'no-reply@mail.mailstead.test', to: ['me@example.org'] },
  },
})

/** That of the queue: how full the disk of this machine is, is not ours to say. */
const ofQueue = () => posted.filter(({ alert }) => alert === 'queue-age')
const mailed = () =>
  peer.messages.flatMap(({ raw }) => /^Subject: (.*queue-age)/m.exec(String(raw))?.[1] ?? [])

const queueOne = () =>
  enqueueMessage(app, app.db, {
    ...{ workspaceId: null, mailboxId: null, mailFrom: 'no-reply@mail.mailstead.test' },
    ...{ recipients: ['bob@slow.example'], raw: Buffer.from('Subject: x\r\n\r\nx\r\n') },
  })
const dropAll = () =>
  changeQueue(app, 'terminal', 'drop', { by: 'destination', value: 'slow.example' })

/** Looks as the loop does: each minute of the test's clock. */
const watch = async (minutes: number, apps: readonly TestApp[] = [app]) => {
  for (let n = 0; n < minutes; n++) {
    app.clock.advance({ minutes: 1 })
    await Promise.all(apps.map(watchAlerts))
  }
}

test('a queue that nobody empties is told once, once a day, and when it moves again', async () => {
  await watch(1)
  await queueOne()
  const other = await anApp({
    ...{ database: app.database, clock: app.clock, config: alertConfig() },
  })
  await watch(19, [app, other])
  expect(ofQueue()).toEqual([])
  expect(await listAlerts(app)).toContainEqual(
    expect.objectContaining({ name: 'queue-age', isTold: false }),
  )
  await watch(5, [app, other])
  expect(ofQueue()).toMatchObject([
    {
      ...{ alert: 'queue-age', state: 'begun', installation: 'http://localhost:8080' },
      sentence: 'Mail in the queue is due, and has not been tried for 20 minutes.',
      since: '2026-11-20T12:16:00.000Z',
    },
  ])
  expect(mailed()).toEqual(['Alert: queue-age'])
  expect(await listAlerts(other)).toContainEqual(
    expect.objectContaining({
      ...{ name: 'queue-age', isTold: true, since: new Date('2026-11-20T12:16:00.000Z') },
    }),
  )
  app.clock.advance({ hours: 23 })
  await watch(50, [app, other])
  expect(ofQueue()).toHaveLength(1)
  await watch(10, [app, other])
  expect(ofQueue()).toMatchObject([{}, { state: 'begun', since: '2026-11-20T12:16:00.000Z' }])
  await dropAll()
  await watch(4, [app, other])
  expect(ofQueue()).toHaveLength(2)
  await watch(2, [app, other])
  expect(ofQueue()).toMatchObject([{}, {}, { state: 'ended' }])
  expect(mailed()).toEqual(['Alert: queue-age', 'Alert: queue-age', 'Over: queue-age'])
  await watch(30, [app, other])
  expect(ofQueue()).toHaveLength(3)
  expect((await listAlerts(app)).map(({ name }) => name)).not.toContain('queue-age')
  // Once each, however many processes looked.
  const { news, ways } = await showAlerts(app)
  expect(news.filter(({ name }) => name === 'queue-age')).toMatchObject([
    { news: 'ended' },
    { news: 'begun', sentence: expect.stringContaining('has not been tried') },
  ])
  expect(ways).toMatchObject([{ to: expect.stringMatching(/^127/) }, { to: 'me@example.org' }])
  await other.close()
})

test('what is not taken is tried again and logged once; the other way is not told twice', async () => {
  status = 500
  await queueOne()
  await watch(40)
  const tries = ofQueue().length
  expect(tries).toBeGreaterThan(3)
  expect(tries).toBeLessThan(10)
  expect(mailed()).toEqual(['Alert: queue-age'])
  const warned = () =>
    app.warnings().filter((text) => text === 'an alert is not taken by ALERT_URL; tried again')
  const ofOthers = new Set(posted.map(({ alert }) => alert)).size
  expect(warned()).toHaveLength(ofOthers)
  status = 200
  await watch(16)
  expect(ofQueue()).toHaveLength(tries + 1)
  await watch(16)
  expect(ofQueue()).toHaveLength(tries + 1)
})

test('what came and went while nobody took it is not told', async () => {
  status = 500
  peer.behave = () => '421 4.3.2 not now'
  await queueOne()
  await watch(25)
  expect(ofQueue().at(-1)?.state).toBe('begun')
  await dropAll()
  await watch(10)
  posted = []
  peer.behave = () => undefined
  await watch(30)
  expect([ofQueue(), mailed()]).toEqual([[], []])
})

test('held deliveries are none that wait', async () => {
  await queueOne()
  await changeQueue(app, 'terminal', 'hold', { by: 'destination', value: 'slow.example' })
  await watch(60)
  expect(ofQueue()).toEqual([])
})

test('without a way to tell it, it is logged', async () => {
  const quiet = await anApp()
  await enqueueMessage(quiet, quiet.db, {
    ...{ workspaceId: null, mailboxId: null, mailFrom: '', recipients: ['bob@slow.example'] },
    raw: Buffer.from('Subject: x\r\n\r\nx\r\n'),
  })
  for (let n = 0; n < 25; n++) {
    quiet.clock.advance({ minutes: 1 })
    await watchAlerts(quiet)
  }
  expect(quiet.logged('alert-begun' as never)).toContainEqual(
    expect.objectContaining({ alert: 'queue-age', msg: expect.stringMatching(/^Mail in the/) }),
  )
  await quiet.close()
})

test('a database that is away is told without it, and that it is back', async () => {
  const database = await aDatabaseSwitch(app.database)
  let running: RunningApp | null = null
  try {
    running = await startApp(
      {
        ...{ ...testConfig(app.config.dataDir), ...alertConfig() },
        ...{ roles: ['smtp', 'worker'], databaseUrl: database.url },
      },
      { clock: app.clock, log: app.log, say: () => {} },
    )
    const { readiness } = running.app
    // The other loops: this alert is of no condition, and refusals are counted although there is none.
    const [since, tellings] = [app.clock.now(), '{}']
    const row = { since, heldAt: since, begunAt: null, endedAt: null, sentence: 'x', tellings }
    await app.db
      .insertInto('alerts')
      .values({ name: 'of-old', ...row })
      .execute()
    const count = (table: 'alerts' | 'refusedMails') =>
      app.db.selectFrom(table).selectAll().execute()
    await expect
      .poll(async () => (await count('alerts')).map(({ name }) => name), { timeout: 30_000 })
      .not.toContain('of-old')
    await expect.poll(() => count('refusedMails'), { timeout: 30_000 }).toHaveLength(1)
    const told = () => posted.filter(({ alert }) => alert === 'database-away')
    database.off()
    await expect.poll(readiness.missing, { timeout: 30_000 }).toContain('database')
    // Looks go on by themselves, every two seconds.
    const moveOn = async () => {
      app.clock.advance({ minutes: 3 })
      return told().length
    }
    const slowly = { timeout: 60_000, interval: 2_500 }
    await expect.poll(moveOn, slowly).toBe(1)
    expect(told()).toMatchObject([{ state: 'begun' }])
    database.on()
    await expect.poll(readiness.missing, { timeout: 30_000 }).toEqual([])
    await expect.poll(moveOn, slowly).toBe(2)
    expect(told()).toMatchObject([{}, { state: 'ended', since: told()[0]?.since }])
    expect(
      peer.messages.filter(({ raw }) => /^Subject: .*database-away/m.test(String(raw))),
    ).toHaveLength(2)
  } finally {
    database.close()
    await running?.close()
  }
}, 120_000)
