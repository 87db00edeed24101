import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { PIECE_BYTES, pieceSumsOf } from '../../lib/files/piece-sums.ts'
import { type FileBlobs, fileBlobs, hashOf } from './blobs.ts'

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-blobs-'))
afterAll(() => rmSync(root, { recursive: true }))

const aStore = (): { blobs: FileBlobs; folder: string } => {
  const folder = join(root, randomBytes(4).toString('hex'))
  return { blobs: fileBlobs(folder), folder }
}
const pathOf = (folder: string, hash: string) => join(folder, hash.slice(0, 2), hash)
const all = async (blobs: FileBlobs) => {
  const found: { hash: string; writtenAt: Date }[] = []
  for await (const blob of blobs.list()) found.push(blob)
  return found
}

test('answers byte for byte what was put, under the hash of its bytes', async () => {
  const { blobs, folder } = aStore()
  const bytes = randomBytes(100_000)
  const hash = await blobs.put(bytes)
  expect(hash).toBe(hashOf(bytes))
  expect(bytes.equals(await blobs.get(hash))).toBe(true)
  expect(statSync(pathOf(folder, hash)).mode & 0o077).toBe(0)
})

test('the same bytes twice, also at once, are one blob', async () => {
  const { blobs, folder } = aStore()
  const bytes = Buffer.from('a mail to everybody')
  const hashes = await Promise.all(Array.from({ length: 10 }, () => blobs.put(bytes)))
  expect(new Set(hashes).size).toBe(1)
  expect(await all(blobs)).toHaveLength(1)
  expect(readdirSync(join(pathOf(folder, hashOf(bytes)), '..'))).toEqual([hashOf(bytes)])
})

test('putting a blob again makes it young again, so that the sweep spares it', async () => {
  const { blobs, folder } = aStore()
  const hash = await blobs.put(Buffer.from('old'))
  utimesSync(pathOf(folder, hash), new Date(0), new Date(0))
  await blobs.put(Buffer.from('old'))
  const [blob] = await all(blobs)
  expect(Date.now() - (blob?.writtenAt.getTime() ?? 0)).toBeLessThan(60_000)
})

test('a damaged blob is found out, and putting the bytes again mends it', async () => {
  const { blobs, folder } = aStore()
  const bytes = Buffer.from('as it was received')
  const hash = await blobs.put(bytes)
  chmodSync(pathOf(folder, hash), 0o600)
  writeFileSync(pathOf(folder, hash), 'as it was receivee')
  await expect(blobs.get(hash)).rejects.toThrow(`blob ${hash} is damaged`)
  await blobs.put(bytes)
  expect(bytes.equals(await blobs.get(hash))).toBe(true)
})

test('a range is read and verified without the rest', async () => {
  const { blobs, folder } = aStore()
  const bytes = randomBytes(4 * PIECE_BYTES + 100)
  const sums = pieceSumsOf(bytes) ?? []
  const hash = await blobs.put(bytes)
  const read = (start: number, end: number) =>
    blobs.range(hash, { start, end, size: bytes.length }, sums)
  const ranges = [
    [0, 1],
    [PIECE_BYTES - 1, PIECE_BYTES + 1],
    [4 * PIECE_BYTES, bytes.length],
    [0, bytes.length],
  ] as const
  for (const [start, end] of ranges)
    expect(bytes.subarray(start, end).equals(await read(start, end))).toBe(true)
  const damaged = Buffer.from(bytes)
  damaged[2 * PIECE_BYTES] = (bytes[2 * PIECE_BYTES] ?? 0) ^ 1
  writeFileSync(pathOf(folder, hash), damaged)
  expect(await read(10, 20)).toEqual(bytes.subarray(10, 20))
  await expect(read(3 * PIECE_BYTES - 1, 3 * PIECE_BYTES)).rejects.toThrow('is damaged')
  await expect(blobs.get(hash)).rejects.toThrow('is damaged')
  writeFileSync(pathOf(folder, hash), bytes.subarray(0, PIECE_BYTES))
  await expect(read(PIECE_BYTES, PIECE_BYTES + 1)).rejects.toThrow('is damaged')
  await blobs.delete(hash)
  await expect(read(0, 1)).rejects.toThrow('is missing')
})

test('a missing blob is an error; deleting one twice is none', async () => {
  const { blobs } = aStore()
  const hash = await blobs.put(Buffer.from('short-lived'))
  const later = new Date(Date.now() + 60_000)
  expect(await blobs.deleteOlder(hash, later)).toBe(true)
  expect(await blobs.deleteOlder(hash, later)).toBe(false)
  await expect(blobs.get(hash)).rejects.toThrow(`blob ${hash} is missing`)
  expect(await all(blobs)).toEqual([])
})

test('one that was put again since is spared', async () => {
  const { blobs, folder } = aStore()
  const hash = await blobs.put(Buffer.from('wanted again'))
  expect(await blobs.deleteOlder(hash, new Date(Date.now() - 60_000))).toBe(false)
  expect((await blobs.get(hash)).toString()).toBe('wanted again')
  expect(readdirSync(join(pathOf(folder, hash), '..'))).toEqual([hash])
})

test('what a killed process left half-written is no blob, and goes when it is old', async () => {
  const { blobs, folder } = aStore()
  const hash = await blobs.put(Buffer.from('whole'))
  const beside = join(pathOf(folder, hash), '..')
  for (const at of [folder, beside]) writeFileSync(join(at, '.0198a6a5.part'), 'hal')
  expect((await all(blobs)).map((blob) => blob.hash)).toEqual([hash])
  writeFileSync(join(beside, '.0198a6a6.part'), 'hal')
  utimesSync(join(beside, '.0198a6a5.part'), new Date(0), new Date(0))
  await blobs.removeLeftovers(new Date(1000))
  expect(readdirSync(beside).sort()).toEqual(['.0198a6a6.part', hash])
})

const fileHandle = async () => {
  const handle = await open(root, 'r')
  await handle.close()
  return Object.getPrototypeOf(handle) as { sync: () => Promise<void> }
}

test.runIf(process.platform === 'linux')(
  'answers only when bytes and name are on disk: the file first, then each folder up to the root',
  async () => {
    const { blobs, folder } = aStore()
    const bytes = Buffer.from('durable')
    const hash = hashOf(bytes)
    const path = pathOf(folder, hash)
    const { existsSync, readlinkSync } = await import('node:fs')
    const steps: string[] = []
    const prototype = await fileHandle()
    const real = prototype.sync
    vi.spyOn(prototype, 'sync').mockImplementation(async function (this: { fd: number }) {
      const target = readlinkSync(`/proc/self/fd/${this.fd}`)
      steps.push(
        target.endsWith('.part') ? 'bytes' : `${target} ${existsSync(path) ? 'after' : 'before'}`,
      )
      await real.call(this as never)
    })
    await blobs.put(bytes)
    expect(steps).toContain('bytes')
    expect(steps.at(-1)).toBe(`${join(path, '..')} after`)
    // The parents of the new folders: the blob's folder and the store's.
    expect(steps).toContain(`${folder} before`)
    expect(steps).toContain(`${root} before`)
  },
)

test('a disk that cannot keep the bytes is an error, and no blob appears', async () => {
  const { blobs } = aStore()
  await blobs.put(Buffer.from('before'))
  vi.spyOn(await fileHandle(), 'sync').mockRejectedValue(new Error('EIO: i/o error, fsync'))
  await expect(blobs.put(Buffer.from('lost'))).rejects.toThrow('EIO')
  vi.restoreAllMocks()
  expect(await all(blobs)).toHaveLength(1)
})
