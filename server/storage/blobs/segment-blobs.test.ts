import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PIECE_BYTES, pieceSumsOf } from '../../lib/files/piece-sums.ts'
import { type BlobStore, fileBlobs, hashOf } from './blobs.ts'
import { SMALL_BYTES, segmentBlobs } from './segment-blobs.ts'
import {
  HEADER_BYTES,
  hashIn,
  headerOf,
  nameOf,
  pathOfSegment,
  placeOf,
  recordsIn,
} from './segment-file.ts'

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-segments-'))
const stores: BlobStore[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
  rmSync(root, { recursive: true })
})

const aStore = (folder = join(root, randomBytes(4).toString('hex'))) => {
  const blobs = segmentBlobs(folder)
  stores.push(blobs)
  return { blobs, folder }
}
const segmentsOf = async (blobs: BlobStore) => {
  const found: { segment: string; size: number }[] = []
  for await (const { segment, size } of blobs.segments()) found.push({ segment, size })
  return found
}
const recordsOf = async (folder: string, name: string) => {
  const names: string[] = []
  for await (const { hash } of recordsIn(folder, placeOf(name)?.segment ?? '')) names.push(hash)
  return names
}
const flipBit = async (path: string, at: number) => {
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
  buffer.writeUInt8(buffer.readUInt8(0) ^ 1, 0)
  await file.write(buffer, 0, 1, at)
  await file.close()
}
const pathOf = (folder: string, name: string) => pathOfSegment(folder, placeOf(name)?.segment ?? '')
const offsetOf = (name: string) => placeOf(name)?.offset ?? 0

test('many blobs at once come back byte for byte, out of one segment', async () => {
  const { blobs, folder } = aStore()
  const all = Array.from({ length: 300 }, (_, n) => randomBytes(n * 7))
  const names = await Promise.all(all.map((bytes) => blobs.put(bytes)))
  for (const [n, name] of names.entries()) {
    expect(hashIn(name)).toBe(hashOf(all[n] ?? Buffer.alloc(0)))
    expect((await blobs.get(name)).equals(all[n] ?? Buffer.alloc(0))).toBe(true)
    expect(await blobs.has(name)).toBe(true)
  }
  const [only, ...others] = await segmentsOf(blobs)
  expect(others).toEqual([])
  expect(only?.size).toBe(all.reduce((sum, { length }) => sum + length + HEADER_BYTES, 0))
  expect(await recordsOf(folder, names[0] ?? '')).toEqual(names.map(hashIn))
})

test('a large blob is a file, and the files of before are read', async () => {
  const { blobs, folder } = aStore()
  const large = randomBytes(SMALL_BYTES + 1)
  const old = await fileBlobs(folder).put(Buffer.from('before'))
  expect(await blobs.put(large)).toBe(hashOf(large))
  expect((await blobs.get(hashOf(large))).equals(large)).toBe(true)
  expect(String(await blobs.get(old))).toBe('before')
  expect(await segmentsOf(blobs)).toEqual([])
})

test('a large blob in a segment, as a bucket has them, is read in pieces and in ranges', async () => {
  const { blobs, folder } = aStore()
  const segment = 'large0000000000'
  const all = [randomBytes(500), randomBytes(3 * PIECE_BYTES + 7), randomBytes(500)]
  mkdirSync(join(folder, 'segments'), { recursive: true })
  const records = all.flatMap((bytes) => [headerOf(hashOf(bytes), bytes.length), bytes])
  writeFileSync(pathOfSegment(folder, segment), Buffer.concat(records))
  const large = all[1] ?? Buffer.alloc(0)
  const { length: size } = large
  const offset = HEADER_BYTES + 500
  const name = nameOf({ segment, offset, size, hash: hashOf(large) })
  const opened = await blobs.open(name)
  expect(opened.size).toBe(size)
  const pieces = await Array.fromAsync(opened.pieces())
  expect(pieces.map(({ length }) => length)).toEqual([PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, 7])
  expect(Buffer.concat(pieces).equals(large)).toBe(true)
  const sums = pieceSumsOf(large) ?? []
  for (const [start, end] of [
    [0, 10],
    [PIECE_BYTES - 1, PIECE_BYTES + 1],
    [size - 9, size],
  ] as const)
    expect(
      (await blobs.range(name, { start, end, size }, sums)).equals(large.subarray(start, end)),
    ).toBe(true)

  await flipBit(pathOfSegment(folder, segment), offset + HEADER_BYTES + PIECE_BYTES)
  await expect(blobs.open(name)).rejects.toThrow(/damaged/)
  const flipped = { start: PIECE_BYTES, end: PIECE_BYTES + 1, size }
  await expect(blobs.range(name, flipped, sums)).rejects.toThrow(/damaged/)
  expect(await blobs.range(name, { start: 0, end: 1, size }, sums)).toHaveLength(1)
})

test('a process goes on in a segment of its own, and reads those of others', async () => {
  const { blobs, folder } = aStore()
  const name = await blobs.put(Buffer.from('first'))
  const other = aStore(folder).blobs
  const next = await other.put(Buffer.from('second'))
  expect(placeOf(next)?.segment).not.toBe(placeOf(name)?.segment)
  expect(String(await other.get(name))).toBe('first')
  expect(String(await blobs.get(next))).toBe('second')
})

test('a record that a crash cut off harms no other', async () => {
  const { blobs, folder } = aStore()
  const names = await Promise.all(['one', 'two'].map((text) => blobs.put(Buffer.from(text))))
  const [one = '', two = ''] = names
  truncateSync(pathOf(folder, two), offsetOf(two) + HEADER_BYTES + 1)
  expect(String(await blobs.get(one))).toBe('one')
  await expect(blobs.get(two)).rejects.toMatchObject({ code: 'BLOB_MISSING' })
  expect(await blobs.has(two)).toBe(false)
  expect(await recordsOf(folder, one)).toEqual([hashIn(one)])
})

test('a flipped bit is found, in the bytes and in the header, and harms no other', async () => {
  const { blobs, folder } = aStore()
  const texts = ['one', 'two', 'three', 'four']
  const names = await Promise.all(texts.map((text) => blobs.put(Buffer.from(text))))
  const [one = '', two = '', three = '', four = ''] = names
  await flipBit(pathOf(folder, two), offsetOf(two) + HEADER_BYTES)
  await flipBit(pathOf(folder, three), offsetOf(three) + 5)
  await expect(blobs.get(two)).rejects.toThrow(/is damaged$/)
  for (const [name, text] of [
    [one, 'one'],
    [three, 'three'],
    [four, 'four'],
  ] as const)
    expect(String(await blobs.get(name))).toBe(text)
  // Without the database, only the record with the damaged header is not known.
  expect(await recordsOf(folder, one)).toEqual([one, two, four].map(hashIn))
})

test('a folder that was replaced gets a new segment', async () => {
  const { blobs, folder } = aStore()
  const name = await blobs.put(Buffer.from('before'))
  renameSync(folder, `${folder}-away`)
  const next = await blobs.put(Buffer.from('after'))
  expect(readdirSync(join(folder, 'segments'))).toEqual([placeOf(next)?.segment])
  await expect(blobs.get(name)).rejects.toMatchObject({ code: 'BLOB_MISSING' })
})

test('what cannot be written is refused for all that waited, and the next goes on', async () => {
  const { folder } = aStore()
  let isFull = true
  const blobs = segmentBlobs(folder, {
    checkMark: async () => {
      if (isFull) throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    },
  })
  stores.push(blobs)
  const refused = await Promise.allSettled(['a', 'b'].map((text) => blobs.put(Buffer.from(text))))
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(refused[0]).toMatchObject({ reason: { code: 'ENOSPC' } })
  isFull = false
  expect(String(await blobs.get(await blobs.put(Buffer.from('c'))))).toBe('c')
})

test('names of other files are no segments', async () => {
  const { blobs, folder } = aStore()
  await blobs.put(Buffer.from('one'))
  writeFileSync(join(folder, 'segments', 'notes.txt'), 'mine')
  expect(await segmentsOf(blobs)).toHaveLength(1)
  for (const name of ['', 'x', '../installation', 'a'.repeat(64), `x.1.2.${'a'.repeat(64)}`])
    expect(placeOf(name)).toBe(null)
})
