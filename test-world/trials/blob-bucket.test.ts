/**
 * Processes with disks of their own that share a bucket. `STORE=swift` takes OpenStack Swift instead of the store of this process,
 * `MAILS=3000` sends more mails through the faults.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { API_PREFIX } from '#contract/route.ts'
import { moveBlobs } from '#server/features/operating/move-blobs.ts'
import { type RunningApp, startApp } from '#server/start-app.ts'
import { testConfig } from '../app.ts'
import { aClock } from '../clock.ts'
import { aDatabase, type TestDatabase } from '../database.ts'
import { ImapClient } from '../imap/imap-client.ts'
import { aMailReader } from '../mail-reader.ts'
import { type FaultyStore, faults, inFrontOf } from '../object-store/faulty-store.ts'
import { anObjectStore } from '../object-store/object-store.ts'
import { startSwift } from '../object-store/swift.ts'
import { chanceOf } from './seeded.ts'

const MAILS = Number(process.env.MAILS ?? 60)

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-bucket-'))
let store: FaultyStore
let database: TestDatabase
let buckets = 0
let bucket: string
const closing: { close(): Promise<void> }[] = []
beforeAll(async () => {
  store = await inFrontOf(
    process.env.STORE === 'swift' ? await startSwift() : await anObjectStore(),
  )
})
afterAll(async () => {
  await store.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(async () => {
  database = await aDatabase()
  bucket = `mail-${buckets++}`
  await store.makeBucket(bucket)
  store.spoil = () => null
})
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close()
  await database.drop()
})

type Blobs = { url?: string | null; from?: string | null }

const configOf = (host: string, { url = store.url(bucket), from = null }: Blobs = {}) => ({
  ...testConfig(join(root, `${bucket} ${host}`)),
  ...{ publicUrl: 'http://mail.localhost:8080', databaseUrl: database.url, undoSeconds: 0 },
  secret: 'one secret for all of these processes',
  blobs: { url, from, cacheBytes: 50_000_000 },
})

/** Hosts share no disk. */
const start = async (host: string, blobs?: Blobs): Promise<RunningApp> => {
  const started = await startApp(configOf(host, blobs), {
    ...{ log: pino({ level: 'silent' }), clock: aClock(), say: () => {}, blobLookMs: 100 },
  })
  closing.push(started)
  return started
}
const stop = async (running: RunningApp): Promise<void> => {
  closing.splice(closing.indexOf(running), 1)
  await running.close()
}
const aReader = async (running: RunningApp) => {
  const reader = await aMailReader(running)
  closing.push(reader)
  return reader
}
type Reader = Awaited<ReturnType<typeof aReader>>

/** The mailbox of the reader in a mail program. */
const aMailProgram = async ({ addresses }: RunningApp, { client, mailbox }: Reader) => {
  const path = `/mailboxes/${mailbox.id}/app-passwords`
  const made = await client.call('POST', path, { name: 'Phone', scopes: ['imap'] })
  const program = await ImapClient.connect(addresses.imap?.tlsPort ?? 0)
  closing.push({ close: async () => program.close() })
  await program.until('* OK')
  await program.ok(`LOGIN ${mailbox.email} ${made.body.password}`)
  await program.ok('SELECT INBOX')
  return program
}

const health = async ({ addresses }: RunningApp) =>
  (await fetch(`${addresses.http}/healthz`)).status
const portOf = ({ addresses }: RunningApp): number => addresses.smtp?.port ?? 0
const withoutCache = (host: string) =>
  rmSync(join(root, `${bucket} ${host}`, 'blob-cache'), { recursive: true, force: true })

/** The texts of all mails by their subject, each read whole from one process. */
const readAll = async (running: RunningApp, { mailbox, authorization }: Reader) => {
  const rows = await database.db
    .selectFrom('messages')
    .select(['id', 'subject'])
    .where('mailboxId', '=', mailbox.id)
    .execute()
  const texts = new Map<string, string>()
  for (const { id, subject } of rows) {
    const path = `${running.addresses.http}${API_PREFIX}/mailboxes/${mailbox.id}/messages/${id}/raw`
    const answer = await fetch(path, { headers: { authorization } })
    expect(answer.status, answer.status === 200 ? '' : await answer.text()).toBe(200)
    expect(texts.has(subject)).toBe(false)
    texts.set(subject, await answer.text())
  }
  return texts
}

const letter = (n: number, bytes: number) =>
  `From: s@example.net\r\nSubject: ${n}\r\n\r\n${`Mail ${n} says this. \r\n`.repeat(bytes / 20)}`

test('what one process takes is read by another that has another disk; another bucket and a wrong secret stop the start', async () => {
  const [first, second] = [await start('a'), await start('b')]
  const reader = await aReader(first)
  expect(await reader.send(1)).toMatch(/^250 /)
  expect(await reader.send(2, letter(2, 400_000), portOf(second))).toMatch(/^250 /)
  for (const running of [first, second]) {
    const texts = await readAll(running, reader)
    expect([...texts.keys()].toSorted()).toEqual(['1', '2'])
    expect(texts.get('2')).toContain(letter(2, 400_000))
  }
  await store.makeBucket(`${bucket}-other`)
  await expect(start('c', { url: store.url(`${bucket}-other`) })).rejects.toThrow(
    /^s3:\S+-other is not where this database keeps its mail/,
  )
  await expect(start('c', { url: null })).rejects.toThrow(
    /blobs is not where this database keeps its mail/,
  )
  await expect(start('c', { url: store.url(bucket, 'guessed') })).rejects.toThrow(
    /^s3:\S+, where mail is kept, cannot be read: it refuses the key or the secret/,
  )
  await expect(start('c', { url: store.url(`${bucket}-none`) })).rejects.toThrow(
    /cannot be read: there is no such bucket/,
  )
})

test('a store in trouble puts mail off with 451 and reading with 503, and all is well within 5 seconds', async () => {
  const running = await start('a')
  const reader = await aReader(running)
  expect(await reader.send(1)).toMatch(/^250 /)
  const at = `/mailboxes/${reader.mailbox.id}/messages`
  const [{ _id: id }] = (await reader.client.call('GET', `${at}?folder=inbox`)).body.items
  const program = await aMailProgram(running, reader)
  await store.stop()
  await expect.poll(() => health(running), { timeout: 30_000 }).toBe(503)
  expect(await reader.send(2)).toMatch(/^451 4\.3\.0 /)
  withoutCache('a')
  const { status, body } = await reader.client.call('GET', `${at}/${id}/raw`)
  expect([status, body.type]).toEqual([503, 'UNAVAILABLE'])
  expect((await program.run('FETCH 1 (BODY.PEEK[])')).ending).toMatch(/^NO \[UNAVAILABLE\] /)
  // What needs no blob is served.
  expect((await reader.client.call('GET', `${at}?folder=inbox`)).status).toBe(200)
  await store.start()
  const backAt = Date.now()
  expect(await reader.send(3)).toMatch(/^250 /)
  expect((await reader.client.call('GET', `${at}/${id}/raw`)).status).toBe(200)
  expect((await program.ok('FETCH 1 (BODY.PEEK[])')).join()).toContain('Subject: 1')
  await expect.poll(() => health(running)).toBe(200)
  expect(Date.now() - backAt).toBeLessThan(5_000)
}, 60_000)

test('of mails through a spoilt store, each that was answered 250 is there once and whole, and no other', async () => {
  const running = await start('a')
  const reader = await aReader(running)
  const chance = chanceOf(7)
  const spoiling = faults.filter((fault) => fault !== 'is never answered')
  let spoilt = 0
  store.spoil = () => {
    if (chance.between(1, 4) > 1) return null
    spoilt++
    return chance.oneOf(['answers 500', ...spoiling])
  }
  const accepted: string[] = []
  const sendSome = async (from: number) => {
    for (let n = from; n < MAILS; n += 6) {
      const reply = await reader.send(n, letter(n, n % 10 === 0 ? 300_000 : 5_000))
      if (reply.startsWith('250')) accepted.push(String(n))
      else expect(reply).toMatch(/^451 /)
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5].map(sendSome))
  store.spoil = () => null
  withoutCache('a')
  const texts = await readAll(running, reader)
  expect([...texts.keys()].toSorted()).toEqual(accepted.toSorted())
  for (const [subject, text] of texts)
    expect(text).toContain(letter(Number(subject), Number(subject) % 10 === 0 ? 300_000 : 5_000))
  expect(spoilt).toBeGreaterThan(MAILS / 6)
  expect(accepted.length).toBeGreaterThan(MAILS / 2)
}, 600_000)

test('mail moves from files to a bucket and back while it flows; a move that is not finished cannot be forgotten', async () => {
  const [files, s3] = [{ url: null }, store.url(bucket)]
  let running = await start('a', files)
  const reader = await aReader(running)
  const accepted: string[] = []
  const send = async (n: number, by = running) => {
    const reply = await reader.send(n, letter(n, n % 5 === 0 ? 300_000 : 2_000), portOf(by))
    expect(reply).toMatch(/^250 /)
    accepted.push(String(n))
  }
  for (let n = 0; n < 20; n++) await send(n)

  // All processes learn to read from the bucket first; then one after another writes there.
  await stop(running)
  running = await start('a', { ...files, from: s3 })
  const next = await start('a', { url: s3, from: 'files' })
  for (let n = 20; n < 30; n++) await send(n, n % 2 === 0 ? next : running)
  expect((await readAll(running, reader)).size).toBe(30)
  await stop(running)
  await expect(start('a', { url: s3 })).rejects.toThrow(/^Some mail is still in \S+ a\/blobs\./)
  await expect(start('a', files)).rejects.toThrow(/^Some mail is still in s3:/)

  // The first run is cut off by the store.
  let requests = 0
  store.spoil = (method) => (method === 'PUT' && requests++ > 2 ? 'answers 500' : null)
  const config = configOf('a', { url: s3, from: 'files' })
  await expect(moveBlobs(config, database.db)).rejects.toThrow('it answers 500')
  store.spoil = () => null
  const moving = moveBlobs(config, database.db, 1_000)
  for (let n = 30; n < 40; n++) await send(n, next)
  const moved = await moving
  expect(moved.moved + moved.before).toBeGreaterThan(5)
  await stop(next)
  rmSync(join(root, `${bucket} a`, 'blobs'), { recursive: true })
  running = await start('b', { url: s3 })
  const texts = await readAll(running, reader)
  expect([...texts.keys()].toSorted()).toEqual(accepted.toSorted())

  // And back, to the disk of a third host.
  await stop(running)
  running = await start('c', { url: null, from: s3 })
  await moveBlobs(configOf('c', { url: null, from: s3 }), database.db, 0)
  await stop(running)
  await store.stop()
  running = await start('c', files)
  expect(await readAll(running, reader)).toEqual(texts)
  await store.start()
}, 120_000)
