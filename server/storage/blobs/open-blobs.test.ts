import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { type RunningApp, startApp } from '#server/start-app.ts'
import { testConfig } from '#test-world/app.ts'
import { aClock } from '#test-world/clock.ts'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'
import { aMailReader } from '#test-world/mail-reader.ts'
import type { BlobStore } from './blobs.ts'
import { claimBlobs, leftMark, watchBlobs } from './open-blobs.ts'
import { folderPlace } from './places.ts'
import { HEADER_BYTES, pathOfSegment, placeOf } from './segment-file.ts'

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-own-'))
let database: TestDatabase
let folders = 0
const running: RunningApp[] = []
const closing: { close(): Promise<void> }[] = []
const logged: Record<string, unknown>[] = []
beforeEach(async () => {
  database = await aDatabase()
  logged.length = 0
})
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close()
  for (const each of running.splice(0)) await each.close()
  await database.drop()
})

const aFolder = () => join(root, String(folders++))
const SECRET = 'one secret for all of these processes'
const start = async (dataDir: string): Promise<RunningApp> => {
  const log = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) })
  const local = { publicUrl: 'http://localhost:0', databaseUrl: database.url, secret: SECRET }
  const started = await startApp(
    { ...testConfig(dataDir), ...local, undoSeconds: 0 },
    { log, clock: aClock(), say: () => {}, blobLookMs: 20 },
  )
  running.push(started)
  return started
}
const health = async ({ addresses }: RunningApp) => {
  const answer = await fetch(`${addresses.http}/healthz`)
  return [answer.status, await answer.json()]
}
const aReader = async (started: RunningApp) => {
  const reader = await aMailReader(started)
  closing.push(reader)
  return reader
}

test('a process with another folder is refused, also an empty one and when many start at once', async () => {
  const folder = aFolder()
  const all = await Promise.all([start(folder), start(folder), start(folder)])
  expect(await health(all[0])).toEqual([200, { status: 'ready' }])
  await expect(start(aFolder())).rejects.toThrow(
    /^\S+\/blobs is not where this database keeps its mail\. .* write [0-9a-f-]{36} into \S+\/blobs\/installation/,
  )
  const foreign = aFolder()
  const other = database
  database = await aDatabase()
  await (await start(foreign)).close()
  running.pop()
  await database.drop()
  database = other
  await expect(start(foreign)).rejects.toThrow(/holds the mail of another Mailstead/)
})

test('an installation from before there were marks is marked where its blobs are, and nowhere else', async () => {
  const folder = aFolder()
  const first = await start(folder)
  const { send } = await aReader(first)
  expect(await send(1)).toMatch(/^250 /)
  await first.close()
  running.pop()
  rmSync(join(folder, 'blobs', 'installation'))
  await database.db.deleteFrom('installation').where('key', 'in', ['id', 'blobs']).execute()
  await expect(start(aFolder())).rejects.toThrow(/is not where this database keeps its mail/)
  await start(folder)
  expect(existsSync(join(folder, 'blobs', 'installation'))).toBe(true)
})

const run = (command: string, ...args: string[]) =>
  void execFileSync(command, args, { stdio: 'ignore' })
/** Simulates a disk that became read-only. Returns a function that undoes it, or null when mounting is not possible. */
const makeReadOnly = (folder: string): (() => void) | null => {
  try {
    run('mount', '--bind', folder, folder)
  } catch {
    return null
  }
  run('mount', '-o', 'remount,bind,ro', folder)
  // Lazily: a file may still be open for a moment.
  return () => run('umount', '--lazy', folder)
}

test('blobs that move are looked for only where the move began, also when it is nearly over', async () => {
  const { db } = database
  const [from, to] = [folderPlace(aFolder()), folderPlace(aFolder())]
  // On another host, where a folder of this name is empty.
  const elsewhere = { ...folderPlace(aFolder()), name: from.name }
  const id = await claimBlobs(db, from)
  await expect(claimBlobs(db, to, elsewhere)).rejects.toThrow(/is not where this database keeps/)
  expect(await claimBlobs(db, to, from)).toBe(id)
  const refused = /is not where the mail is that moves: .* on the host where the move began/
  for (let times = 0; times < 2; times++) {
    await expect(claimBlobs(db, to, elsewhere)).rejects.toThrow(refused)
    await expect(claimBlobs(db, elsewhere, to)).rejects.toThrow(refused)
    expect(await claimBlobs(db, to, from)).toBe(id)
    await from.mark.replace(leftMark(id))
  }
  expect(await elsewhere.mark.read()).toBe(null)
  await expect(claimBlobs(db, from)).rejects.toThrow(/Some mail is still in/)
  // The way back.
  expect(await claimBlobs(db, from, to)).toBe(id)
  expect(await from.mark.read()).toBe(id)
})

test('a folder that cannot be written to is told in health, mail is put off, and what is there is read', async ({
  skip,
}) => {
  const folder = aFolder()
  const started = await start(folder)
  const { client, mailbox, send } = await aReader(started)
  expect(await send(1)).toMatch(/^250 /)
  const end = makeReadOnly(join(folder, 'blobs'))
  if (end === null) return skip('nothing may be mounted here: run this test as root')
  try {
    await expect.poll(() => health(started)).toMatchObject([503, { data: { parts: ['blobs'] } }])
    expect(await send(2)).toMatch(/^451 4\.3\.0 /)
    const at = `/mailboxes/${mailbox.id}/messages`
    const { body } = await client.call('GET', `${at}?folder=inbox`)
    expect((await client.call('GET', `${at}/${body.items[0]._id}`)).status).toBe(200)
  } finally {
    end()
  }
  await expect.poll(() => health(started)).toEqual([200, { status: 'ready' }])
  expect(await send(3)).toMatch(/^250 /)
})

test('a folder that vanishes or is swapped is told in health, and nothing is taken until it is back', async () => {
  const folder = aFolder()
  const started = await start(folder)
  const { client, mailbox, send } = await aReader(started)
  expect(await send(1)).toMatch(/^250 /)
  const blobs = join(folder, 'blobs')
  renameSync(blobs, `${blobs}-away`)
  await expect.poll(() => health(started)).toMatchObject([503, { data: { parts: ['blobs'] } }])
  expect(await send(2)).toMatch(/^451 4\.3\.0 /)
  expect(existsSync(blobs)).toBe(false)
  const draft = { to: [], cc: [], bcc: [], subject: 'x', text: 'y', attachments: [] }
  const form = { ...draft, draft: false, to: ['bob@example.net'] }
  const kept = await client.call('POST', `/mailboxes/${mailbox.id}/messages`, form)
  expect([kept.status, kept.body.type]).toEqual([503, 'UNAVAILABLE'])
  expect(kept.headers['retry-after']).toMatch(/^\d+$/)
  renameSync(`${blobs}-away`, blobs)
  await expect.poll(() => health(started)).toEqual([200, { status: 'ready' }])
  expect(await send(3)).toMatch(/^250 /)
  const about = logged.filter(({ msg }) => /^the blobs/.test(String(msg)))
  expect(about.map(({ msg }) => msg)).toEqual([
    'the blobs are out of reach: mail waits',
    'the blobs are back',
  ])
})

test('a folder with the mark of another is as good as none', async () => {
  const folder = aFolder()
  const started = await start(folder)
  const { send } = await aReader(started)
  const mark = join(folder, 'blobs', 'installation')
  const own = readFileSync(mark, 'utf8')
  writeFileSync(mark, 'another')
  expect(await send(1)).toMatch(/^451 /)
  writeFileSync(mark, own)
  await expect.poll(() => health(started)).toMatchObject([200, {}])
  expect(await send(1)).toMatch(/^250 /)
})

test('a message whose blob is lost says so to its reader, in the log and in health', async () => {
  const folder = aFolder()
  const started = await start(folder)
  const { client, mailbox, send } = await aReader(started)
  await send(1)
  const row = await started.app.db
    .selectFrom('messages')
    .selectAll()
    .where('mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  rmSync(join(folder, 'blobs', 'segments', placeOf(row.blob)?.segment ?? ''))
  const path = `/mailboxes/${mailbox.id}/messages/${row.id}`
  const { status, body } = await client.call('GET', path)
  expect([status, body.type]).toEqual([410, 'CONTENT_MISSING'])
  expect(body.message).toMatch(/missing on the server/)
  expect(logged).toContainEqual(
    expect.objectContaining({ event: 'blob-missing', level: 50, hash: row.blob }),
  )
  expect(await health(started)).toEqual([200, { status: 'ready', warnings: ['blob-missing'] }])
})

test('a flipped bit and a torn last record are told to who reads them and logged, and harm no other mail', async () => {
  const folder = aFolder()
  const started = await start(folder)
  const { client, mailbox, send } = await aReader(started)
  for (const n of [1, 2, 3]) expect(await send(n)).toMatch(/^250 /)
  const rows = await started.app.db
    .selectFrom('messages')
    .select(['id', 'blob'])
    .where('mailboxId', '=', mailbox.id)
    .orderBy('id')
    .execute()
  const [flipped, whole, torn] = rows.map(({ id, blob }) => {
    const place = placeOf(blob)
    const file = pathOfSegment(join(folder, 'blobs'), place?.segment ?? '')
    return { id, blob, file, at: (place?.offset ?? 0) + HEADER_BYTES, size: place?.size ?? 0 }
  })
  if (!flipped || !whole || !torn) throw new Error('three mails were filed')
  expect(new Set([flipped.file, whole.file, torn.file]).size).toBe(1)
  const bytes = readFileSync(torn.file)
  bytes.writeUInt8(bytes.readUInt8(flipped.at + 10) ^ 4, flipped.at + 10)
  writeFileSync(torn.file, bytes)
  truncateSync(torn.file, torn.at + torn.size - 1)

  const at = `/mailboxes/${mailbox.id}/messages`
  for (const { id, blob } of [flipped, torn]) {
    for (const path of [`${at}/${id}`, `${at}/${id}/raw`]) {
      const { status, body } = await client.call('GET', path)
      expect([status, body.type], path).toEqual([410, 'CONTENT_MISSING'])
    }
    expect(logged).toContainEqual(
      expect.objectContaining({
        event: 'blob-missing',
        hash: blob,
        msg: `blob ${blob} is damaged`,
      }),
    )
  }
  expect(await health(started)).toEqual([200, { status: 'ready', warnings: ['blob-missing'] }])
  expect((await client.call('GET', `${at}/${whole.id}`)).status).toBe(200)
  expect((await client.call('GET', `${at}?folder=inbox`)).body.items).toHaveLength(3)
  // What is appended behind the torn record is whole.
  expect(await send(4)).toMatch(/^250 /)
  const { items } = (await client.call('GET', `${at}?folder=inbox`)).body
  expect((await client.call('GET', `${at}/${items[0]._id}`)).status).toBe(200)
})

test('a store that is away is looked at until it is back, sooner than one that is there, and no more after the end', async () => {
  const told: string[] = []
  let looks = 0
  const blobs = {
    put: () => Promise.reject(new BlobStoreAway('it does not answer')),
    close: async () => {},
  } as unknown as BlobStore
  const events = {
    onAway: () => void told.push('away'),
    onBack: () => void told.push('back'),
    onMissing: () => {},
  }
  const probe = async () => {
    looks++
    if (looks < 3) throw new BlobStoreAway('it does not answer')
  }
  const watched = watchBlobs(blobs, probe, events, 60_000)
  expect(looks).toBe(0)
  await expect(watched.blobs.put(Buffer.from('a'))).rejects.toThrow('it does not answer')
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['away', 'back'])
  expect(looks).toBe(3)
  await watched.blobs.put(Buffer.from('b')).catch(() => {})
  await watched.close()
  await wait(1_500)
  expect([looks, told]).toEqual([3, ['away', 'back', 'away']])
})
