/** How many connections two processes take, and with PgBouncer in transaction mode in front of their queries (decision 132). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { sweepBlobs } from '#server/features/messages/blobs/sweep-blobs.ts'
import { newId } from '#server/lib/ids.ts'
import { openTurns } from '#server/lib/turns/turns.ts'
import { type RunningApp, startApp } from '#server/start-app.ts'
import { mostConnections } from '#server/storage/connection-count.ts'
import { testConfig } from '../app.ts'
import { aDatabase, type TestDatabase } from '../database.ts'
import { aMailReader } from '../mail-reader.ts'
import { aDatabaseSwitch, type DatabaseSwitch } from '../postgres/database-switch.ts'
import { aPooler, hasPooler, type Pooler } from '../postgres/pgbouncer.ts'
import { ask } from '../postgres/postgres-owner.ts'

const MOST = 4
const EACH = 40

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-pooled-'))
let database: TestDatabase
let door: DatabaseSwitch
let pooler: Pooler
let logged: { level: number; event?: string; msg: string }[]
const closing: { close(): Promise<void> }[] = []

beforeEach(async () => {
  logged = []
  database = await aDatabase()
  closing.push({ close: database.drop })
  door = await aDatabaseSwitch(database)
  closing.push({ close: async () => door.close() })
  if (!hasPooler) return
  pooler = await aPooler(door.url, MOST)
  closing.push(pooler)
})
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const configWith = (poolUrl: string | null) => ({
  ...testConfig(join(root, database.connection.database ?? '')),
  ...{ publicUrl: 'http://mail.localhost:8080', undoSeconds: 0 },
  ...{ databaseUrl: door.url, databasePoolUrl: poolUrl, databaseConnections: 6 },
})

const start = async (poolUrl: string | null = pooler.url): Promise<RunningApp> => {
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) })
  const running = await startApp(configWith(poolUrl), { log, say: () => {} })
  closing.push(running)
  return running
}
const aReader = async (running: RunningApp) => {
  const reader = await aMailReader(running)
  closing.push(reader)
  return reader
}

/** With the Debian package `pgbouncer`. */
const pooled = test.skipIf(!hasPooler)

type Counts = { queries: number; sessions: number }

const countNow = async (): Promise<Counts> => {
  const [row] = await ask(
    database.connection,
    `select (count(*) filter (where application_name = 'mailstead'))::integer as queries,
      (count(*) filter (where application_name like 'mailstead %'))::integer as sessions
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return row as Counts
}

/** The most at any moment while `work` runs. */
const mostWhile = async (work: () => Promise<unknown>): Promise<Counts> => {
  const most: Counts = { queries: 0, sessions: 0 }
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const { queries, sessions } = await countNow()
      most.queries = Math.max(most.queries, queries)
      most.sessions = Math.max(most.sessions, sessions)
    }
  })()
  await work().finally(() => {
    isOver = true
  })
  await looking
  return most
}

const many = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const turns = openTurns(10)
  return Promise.all(Array.from({ length: count }, (_, n) => turns.take(() => work(n))))
}

/** Mail, lists, a sweep, a delivery and news, at both. @returns the most connections meanwhile */
const keepBusy = async (first: RunningApp, second: RunningApp): Promise<Counts> => {
  const reader = await aReader(first)
  const { mailbox, authorization } = reader
  const path = `/api/v1/mailboxes/${mailbox.id}`
  const call = async ({ addresses }: RunningApp, below: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    return fetch(`${addresses.http}${path}${below}`, { ...init, headers })
  }
  const news = await fetch(`${second.addresses.http}/api/v1/events`, { headers: { authorization } })
  const most = await mostWhile(async () => {
    const replies = await Promise.all(
      [first, second].flatMap((by) => [
        many(EACH, (n) => reader.send(n, undefined, by.addresses.smtp?.port)),
        many(EACH, async () => `${(await call(by, '/messages?folder=inbox')).status} `),
      ]),
    )
    expect(new Set(replies.flat().map((reply) => reply.slice(0, 4)))).toEqual(
      new Set(['250 ', '200 ']),
    )
    await Promise.all([sweepBlobs(first.app), sweepBlobs(second.app)])
    const writing = { subject: 'To myself', html: '<p>Hello</p>', to: [mailbox.email] }
    const form = { draft: newId(), writer: newId(), save: 1, uploads: [] }
    const sent = await call(first, '/sends', { ...writing, ...form, key: newId() })
    expect(await sent.json()).toMatchObject({ undoSeconds: 0 })
    await expect
      .poll(async () => {
        const listed = await call(second, '/messages?folder=inbox&limit=100')
        return (await listed.json()).items.length
      })
      .toBe(2 * EACH + 1)
  })
  const told = await news.body?.getReader().read()
  expect(told?.value?.length).toBeGreaterThan(0)
  await news.body?.cancel().catch(() => {})
  expect(logged.map(({ msg }) => msg)).toEqual([])
  return most
}

test('each process keeps to the connections that it may open', async () => {
  const [first, second] = [await start(null), await start(null)]
  const { queries, sessions } = await keepBusy(first, second)
  expect(queries).toBeGreaterThan(6)
  expect(queries).toBeLessThanOrEqual(12)
  expect(queries + sessions).toBeLessThanOrEqual(2 * mostConnections(first.app.config))
})

pooled('both share four connections for their queries, and have few of their own', async () => {
  const [first, second] = [await start(), await start()]
  const most = await keepBusy(first, second)
  const sessions = 2 * mostConnections(first.app.config)
  expect(most.queries).toBeGreaterThan(1)
  expect(most.queries).toBeLessThanOrEqual(MOST)
  expect(most.sessions).toBeGreaterThan(4)
  expect(most.sessions).toBeLessThanOrEqual(sessions)
})

pooled(
  'a pooler that goes away puts mail off, is said once, and all is well when it is back',
  async () => {
    const running = await start()
    const reader = await aReader(running)
    const health = async () => (await fetch(`${running.addresses.http}/healthz`)).status
    expect(await reader.send(1)).toMatch(/^250 /)
    await pooler.stop()
    expect(await reader.send(2)).toMatch(/^451 /)
    await expect.poll(health).toBe(503)
    expect(await reader.send(3)).toMatch(/^451 /)
    await pooler.start()
    await expect.poll(health).toBe(200)
    expect(await reader.send(4)).toMatch(/^250 /)
    const events = logged.flatMap(({ event }) => (event?.startsWith('database-') ? [event] : []))
    expect(events).toEqual(['database-away', 'database-back'])
  },
)

pooled(
  'when PostgreSQL goes away behind it, nobody waits for what the pooler holds back',
  async () => {
    const running = await start()
    const reader = await aReader(running)
    const health = async () => (await fetch(`${running.addresses.http}/healthz`)).status
    door.off()
    await expect.poll(() => reader.send(1)).toMatch(/^451 /)
    await expect.poll(health).toBe(503)
    door.on()
    await expect.poll(health).toBe(200)
    await expect.poll(() => reader.send(2)).toMatch(/^250 /)
  },
)

pooled('one that leads to another database is refused', async () => {
  const other = await aDatabase()
  closing.push({ close: other.drop })
  const config = configWith(pooler.url.replace(/[^/]+$/, other.connection.database ?? ''))
  await expect(startApp(config, { say: () => {} })).rejects.toThrow(
    /^DATABASE_POOL_URL is postgresql:\S+, which leads to another database than DATABASE_URL, /,
  )
  await expect(startApp(configWith('postgresql://me@127.0.0.1:1/mail'))).rejects.toThrow(
    /^DATABASE_POOL_URL is \S+, which cannot be reached: connect ECONNREFUSED/,
  )
})
