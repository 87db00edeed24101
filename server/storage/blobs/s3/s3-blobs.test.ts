import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { BlobMissing, BlobStoreAway } from '#server/lib/files/blob-trouble.ts'
import { pieceSumsOf } from '#server/lib/files/piece-sums.ts'
import { openBucket } from '#server/lib/remote/bucket.ts'
import { type FaultyStore, faults, inFrontOf } from '#test-world/object-store/faulty-store.ts'
import { anObjectStore } from '#test-world/object-store/object-store.ts'
import { type BlobStore, hashOf } from '../blobs.ts'
import { placeOf } from '../segment-file.ts'
import { asBlobBucket } from './as-blob-bucket.ts'
import { blobCache } from './blob-cache.ts'
import { CHECKED_MS } from './mark-watch.ts'
import { bucketMark, s3Blobs } from './s3-blobs.ts'

let store: FaultyStore
let folder: string
let blobs: BlobStore
beforeAll(async () => {
  store = await inFrontOf(await anObjectStore())
  await store.makeBucket('mail')
})
afterAll(() => store.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailstead-test-s3-'))
  blobs = open()
  store.spoil = () => null
  store.requests.length = 0
})
afterEach(async () => {
  await blobs.close()
  await rm(folder, { recursive: true })
})

const CACHE_BYTES = 40_000_000
/** `tryMs`: how long a request is tried again. */
const open = (url = store.url('mail'), tryMs = 2_000, cacheBytes = CACHE_BYTES): BlobStore =>
  s3Blobs(asBlobBucket(openBucket(url, { tryMs })), {
    cache: blobCache(join(folder, 'cache'), cacheBytes),
    checkMark: async () => {},
    reserve: null,
  })

const bytesOf = (seed: string, length: number): Buffer => {
  const parts: Buffer[] = []
  for (let n = 0; n * 32 < length; n++)
    parts.push(createHash('sha256').update(`${seed} ${n}`).digest())
  return Buffer.concat(parts).subarray(0, length)
}
const wholeOf = async (name: string): Promise<Buffer> => {
  const { size, pieces } = await blobs.open(name)
  const bytes = Buffer.concat(await Array.fromAsync(pieces()))
  expect(bytes.length).toBe(size)
  return bytes
}
const uploads = () => store.requests.filter((line) => line.startsWith('PUT'))
const downloads = () => store.requests.filter((line) => line.startsWith('GET'))
const withoutCache = () => rm(join(folder, 'cache'), { recursive: true, force: true })

test('what was put comes back: small, large, in ranges and in pieces', async () => {
  for (const length of [0, 1, 10_000, 128_000, 128_001, 1_048_576, 3_000_000]) {
    const bytes = bytesOf(String(length), length)
    const name = await blobs.put(bytes)
    expect(name).toMatch(new RegExp(`\\.${hashOf(bytes)}$`))
    for (const isCached of [true, false]) {
      if (!isCached) await withoutCache()
      expect(await blobs.get(name)).toEqual(bytes)
      expect(await blobs.stored(name)).toEqual(bytes)
      expect(await wholeOf(name)).toEqual(bytes)
      const range = { start: length >> 2, end: length >> 1, size: length }
      const part = await blobs.range(name, range, pieceSumsOf(bytes) ?? [])
      expect(part).toEqual(bytes.subarray(range.start, range.end))
    }
  }
  const lost = (await blobs.put(Buffer.from('x'))).replace(/^.{15}/, '0'.repeat(15))
  await withoutCache()
  await expect(blobs.get(lost)).rejects.toThrow(BlobMissing)
})

test('small blobs of one moment share an object; large ones have their own; a range reads no more than it needs', async () => {
  const names = await Promise.all(
    Array.from({ length: 50 }, (_, n) => blobs.put(Buffer.from(`mail ${n}`))),
  )
  expect(uploads().length).toBeLessThan(5)
  expect(new Set(names.map((name) => placeOf(name)?.segment)).size).toBe(uploads().length)
  store.requests.length = 0
  const bytes = bytesOf('a', 3_000_000)
  const name = await blobs.put(bytes)
  expect(uploads()).toHaveLength(1)
  await withoutCache()
  store.requests.length = 0
  const [start, end] = [1_000_000, 1_000_010]
  const sums = pieceSumsOf(bytes) ?? []
  const read = () => blobs.range(name, { start, end, size: bytes.length }, sums)
  expect(await read()).toEqual(bytes.subarray(start, end))
  expect(await read()).toEqual(bytes.subarray(start, end))
  expect(downloads()).toHaveLength(1)
})

test('the sweep finds objects with their sizes, and removes them', async () => {
  const [small, large] = [
    await blobs.put(Buffer.from('small')),
    await blobs.put(bytesOf('l', 200_000)),
  ]
  const segmentOf = (name: string) => placeOf(name)?.segment ?? ''
  const listed = await Array.fromAsync(blobs.segments())
  const found = listed.find(({ segment }) => segment === segmentOf(large))
  expect(found).toMatchObject({ size: 200_044 })
  expect(Math.abs((found?.writtenAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  await blobs.removeSegment(segmentOf(large))
  await withoutCache()
  await expect(blobs.get(large)).rejects.toThrow(BlobMissing)
  await blobs.delete(small)
  expect(await blobs.has(small)).toBe(true)
  expect(await blobs.has(large)).toBe(false)
})

const KINDS = [
  { what: 'small', length: 20_000 },
  { what: 'large', length: 1_500_000 },
]
// A request that is never answered takes 5 seconds, and is in the trial of the real store.
const quick = faults.filter((fault) => fault !== 'is never answered')
for (const fault of quick)
  for (const { what, length } of KINDS)
    test(`a ${what} blob whose request ${fault} once is there, whole`, async () => {
      // However slow the computer is.
      blobs = open(store.url('mail'), 60_000)
      const bytes = bytesOf(`${fault} ${length}`, length)
      const once = (wanted: string) => {
        let left = 1
        return (method: string) => (method === wanted && left-- > 0 ? fault : null)
      }
      store.spoil = once('PUT')
      const name = await blobs.put(bytes)
      expect(store.spoil('PUT', '')).toBe(null)
      await withoutCache()
      store.spoil = once('GET')
      expect(await blobs.get(name)).toEqual(bytes)
      expect(store.spoil('GET', '')).toBe(null)
      await withoutCache()
      store.spoil = once('GET')
      expect(await wholeOf(name)).toEqual(bytes)
    })

test('what is read over a connection that lies dead is soon asked for over another one, the mark too', async () => {
  const bytes = bytesOf('over another one', 20_000)
  const name = await blobs.put(bytes)
  const mark = bucketMark(openBucket(store.url('mail'), { tryMs: 2_000 }))
  await mark.write('ours')
  for (const [read, found] of [
    [() => blobs.get(name), bytes],
    [() => mark.read(), 'ours'],
  ] as const) {
    await withoutCache()
    let asked = 0
    store.spoil = () => (asked++ === 0 ? 'is never answered' : null)
    expect(await read()).toEqual(found)
    expect(asked).toBe(2)
  }
})

test('a store that stays in trouble is away, and nothing is taken for lost; it serves again at once', async () => {
  blobs = open(store.url('mail'), 300)
  const name = await blobs.put(Buffer.from('before'))
  for (const fault of [
    'answers 500',
    'is cut before it gets there',
    'is answered in part',
  ] as const) {
    await withoutCache()
    store.spoil = () => fault
    await expect(blobs.get(name)).rejects.toThrow(BlobStoreAway)
    if (fault !== 'is answered in part')
      await expect(blobs.put(Buffer.from('meanwhile'))).rejects.toThrow(BlobStoreAway)
    store.spoil = () => null
    expect((await blobs.get(name)).toString()).toBe('before')
    expect(await blobs.get(await blobs.put(Buffer.from('after')))).toEqual(Buffer.from('after'))
  }
})

test('bytes that stay changed are damaged, not returned', async () => {
  const name = await blobs.put(bytesOf('c', 1_500_000))
  const small = await blobs.put(Buffer.from('small'))
  await withoutCache()
  store.spoil = (method) => (method === 'GET' ? 'is changed on its way' : null)
  await expect(blobs.get(name)).rejects.toMatchObject({ how: 'damaged' })
  await expect(blobs.open(name)).rejects.toMatchObject({ how: 'damaged' })
  await expect(blobs.get(small)).rejects.toMatchObject({ how: 'damaged' })
})

test('a wrong secret, a wrong clock and a missing bucket are named', async () => {
  const wrong = bucketMark(asBlobBucket(openBucket(store.url('mail', 'guessed'))))
  await expect(wrong.read()).rejects.toThrow('it refuses the key or the secret')
  const none = bucketMark(asBlobBucket(openBucket(store.url('none'))))
  await expect(none.read()).rejects.toThrow('there is no such bucket')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  try {
    const mark = bucketMark(asBlobBucket(openBucket(store.url('mail'))))
    await expect(mark.read()).rejects.toThrow('its clock and the clock of this machine differ')
  } finally {
    vi.useRealTimers()
  }
})

test('an upload that ends when the blobs have moved away is not taken for done', async () => {
  let hasLeft = false
  const checkMark = async () => {
    if (hasLeft) throw new BlobStoreAway('the mail has moved away from it')
  }
  const cache = blobCache(join(folder, 'cache'), CACHE_BYTES)
  const former = s3Blobs(asBlobBucket(openBucket(store.url('mail'))), {
    ...{ cache, checkMark, reserve: null },
  })
  await former.put(bytesOf('before', 10))
  vi.useFakeTimers({ toFake: ['Date'], now: new Date() })
  try {
    store.spoil = (method) => {
      if (method === 'PUT') {
        hasLeft = true
        vi.setSystemTime(Date.now() + CHECKED_MS)
      }
      return null
    }
    await expect(former.put(bytesOf('meanwhile', 10))).rejects.toThrow('has moved away')
  } finally {
    vi.useRealTimers()
    await former.close()
  }
})

test('the cache stays below its limit, and keeps what is read; a damaged entry is read again', async () => {
  const limit = 1_600_000
  blobs = open(store.url('mail'), 300, limit)
  const kept = await blobs.put(bytesOf('kept', 10_000))
  for (let n = 0; n < 400; n++) await blobs.put(bytesOf(`n ${n}`, 10_000))
  const names = await readdir(join(folder, 'cache'), { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  const sum = sizes.reduce((all, { size }) => all + size, 0)
  expect(sum).toBeGreaterThan(limit / 2)
  expect(sum).toBeLessThan(limit * 1.2)

  await blobs.get(kept)
  const hash = kept.slice(-64)
  const path = join(folder, 'cache', hash.slice(0, 1), hash)
  await writeFile(path, 'other bytes')
  expect(await blobs.get(kept)).toEqual(bytesOf('kept', 10_000))
  expect(await readFile(path)).toEqual(bytesOf('kept', 10_000))
})
