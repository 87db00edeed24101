/** Archives of an installation whose processes share a bucket and no disk. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { App } from '#server/app.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { openBucket } from '#server/lib/remote/bucket.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { anObjectStore, type ObjectStore } from '#test-world/object-store/object-store.ts'
import { readZip } from '#test-world/read-zip.ts'
import { keepInBucket, openInBucket } from './archive-bucket.ts'
import { askForExport, linkToExport, openExportFile, removeExport } from './ask-export.ts'
import { purgeExports, runExports } from './run-exports.ts'

const password = 'Engine-No-1!'

let store: ObjectStore
let app: TestApp
/** A process on another host. */
let other: App
let who: Who
beforeAll(async () => {
  store = await anObjectStore()
  await store.makeBucket('mail')
  const blobs = { url: store.url('mail'), from: null, cacheBytes: 1_000_000 }
  app = await anApp({ config: { blobs } })
  const dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-other-'))
  other = { ...app, config: { ...app.config, dataDir } }
})
afterAll(async () => {
  await rm(other.config.dataDir, { recursive: true })
  await app.close()
  await store.close()
})
beforeEach(async () => {
  who = await aMember(app)
  const passwordHash = await hashPassword(password, 'test')
  await app.db.updateTable('users').set({ passwordHash }).where('id', '=', who.userId).execute()
  await aMailbox(app, { domain: await anActiveDomain(app, who), localPart: 'ada' })
})

const inBucket = async () => {
  const keys = await Array.fromAsync(openBucket(store.url('mail')).list('exports/'))
  return keys.map(({ key }) => key)
}
const onDisk = ({ config }: App) => readdir(join(config.dataDir, 'exports')).catch(() => [])

test('one process makes it, another gives it out, and it goes when it is deleted', async () => {
  const { _id: id } = await askForExport(app, who, { password })
  await runExports(app)
  expect(await onDisk(app)).toEqual([])
  const { token } = await linkToExport(other, who, id)
  const { content } = await openExportFile(other, token)
  const bytes = await buffer(content.pieces())
  expect(bytes.length).toBe(content.size)
  expect([...readZip(bytes).keys()]).toContain('README.txt')
  await removeExport(other, who, id)
  expect(await inBucket()).toEqual([])
})

test('one that was made before the blobs moved is given out from the disk, and deleted there', async () => {
  const { _id: id } = await askForExport(app, who, { password })
  const before = { ...app, config: { ...app.config, blobs: { ...app.config.blobs, url: null } } }
  await runExports(before)
  expect(await onDisk(app)).toEqual([`${id}.zip`])
  const { content } = await openExportFile(app, (await linkToExport(app, who, id)).token)
  expect((await buffer(content.pieces())).length).toBe(content.size)
  await removeExport(app, who, id)
  expect(await onDisk(app)).toEqual([])
})

test('a bucket that is away is told as such', async () => {
  const { _id: id } = await askForExport(app, who, { password })
  await runExports(app)
  const { token } = await linkToExport(app, who, id)
  await store.stop()
  await expect(openExportFile(app, token)).rejects.toThrow(BlobStoreAway)
  await store.start()
})

test('a large one comes back from its parts; a part that is gone breaks it off', async () => {
  const path = join(app.config.dataDir, 'large')
  const large = Buffer.alloc(40_000_000, 'parts of an archive ')
  await writeFile(path, large)
  let parts = 0
  const kept = await keepInBucket(store.url('mail'), { id: 'large', path }, async () => {
    parts++
  })
  expect([kept, parts]).toEqual([large.length, 3])
  const opened = await openInBucket(store.url('mail'), 'large')
  expect(opened?.size).toBe(large.length)
  const back = Buffer.concat(await Array.fromAsync(opened?.pieces() ?? []))
  expect(back.equals(large)).toBe(true)
  await openBucket(store.url('mail')).remove((await inBucket())[1] ?? '')
  await expect(Array.fromAsync(opened?.pieces() ?? [])).rejects.toThrow('is gone')
})

test('what no row knows goes after an hour, and what a row knows stays', async () => {
  // The store has the time of this machine.
  app.clock.set(new Date())
  const { _id: id } = await askForExport(app, who, { password })
  await runExports(app)
  const path = join(app.config.dataDir, 'orphan')
  await writeFile(path, 'of a workspace that ended')
  const orphan = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  await keepInBucket(store.url('mail'), { id: orphan, path }, async () => {})
  await purgeExports(app)
  expect((await inBucket()).some((key) => key.includes(orphan))).toBe(true)
  app.clock.set(new Date(Date.now() + 3_700_000))
  await purgeExports(app)
  const left = await inBucket()
  expect(left.some((key) => key.includes(orphan))).toBe(false)
  expect(left.some((key) => key.includes(id))).toBe(true)
})
