import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blobCache } from './blob-cache.ts'

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-cache-'))
afterAll(() => rmSync(root, { recursive: true }))

const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
/** All on one shelf. */
const keys = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`)

test('what was written a month ago is read from the store again, however often it is used', async () => {
  const folder = join(root, 'old')
  const cache = blobCache(folder, 16_000)
  const [old = '', used = '', young = ''] = keys(3)
  for (const key of [old, used, young]) await cache.put(key, Buffer.alloc(10))
  utimesSync(join(folder, 'a', old), ago(31), ago(31))
  utimesSync(join(folder, 'a', used), ago(1), ago(31))
  utimesSync(join(folder, 'a', young), ago(29), ago(29))
  expect(await cache.get(used)).toHaveLength(10)
  // At the first entry after a start.
  await blobCache(folder, 16_000).put('a9', Buffer.alloc(10))
  expect(await cache.get(old)).toBe(null)
  expect(await cache.get(used)).toBe(null)
  expect(await cache.get(young)).toHaveLength(10)
})

test('of a full shelf goes what was used longest ago', async () => {
  const folder = join(root, 'full')
  const cache = blobCache(folder, 16_000)
  const all = keys(9)
  for (const [n, key] of all.entries()) {
    await cache.put(key, Buffer.alloc(100))
    // The later one was written, the longer ago it was used.
    utimesSync(join(folder, 'a', key), ago(n + 1), ago(20 - n))
  }
  await blobCache(folder, 16_000).put('a9', Buffer.alloc(200))
  const kept: string[] = []
  for (const key of [...all, 'a9']) if ((await cache.get(key)) !== null) kept.push(key)
  expect(kept).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a9'])
})

test('of a full shelf nothing else goes when what is old was enough', async () => {
  const folder = join(root, 'old and full')
  const cache = blobCache(folder, 16_000)
  const [old = '', ...young] = keys(9)
  for (const key of [old, ...young]) await cache.put(key, Buffer.alloc(100))
  // Used last, and older than all.
  utimesSync(join(folder, 'a', old), ago(0), ago(31))
  await blobCache(folder, 16_000).put('a9', Buffer.alloc(200))
  expect(await cache.get(old)).toBe(null)
  for (const key of [...young, 'a9']) expect(await cache.get(key)).not.toBe(null)
})
