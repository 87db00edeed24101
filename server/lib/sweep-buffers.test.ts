import { afterAll, expect, test } from 'vitest'
import { sweepBuffers } from './sweep-buffers.ts'

const end = sweepBuffers()
afterAll(end)

const held = () => process.memoryUsage().arrayBuffers

/** Makes the buffer old: young objects are collected at every minor collection. */
const grow = () => {
  const young: object[] = []
  for (let n = 0; n < 4_000_000; n++) young[n % 1_000] = { n: [n] }
}

test('buffers that nobody uses are given back while nothing else is made', async () => {
  let buffers: Buffer[] | null = []
  for (let n = 0; n < 20; n++) buffers.push(Buffer.alloc(10_000_000, 'x'))
  const full = held()
  expect(full).toBeGreaterThanOrEqual(200_000_000)
  grow()
  buffers = null
  // V8 itself would do so only after eight idle seconds, which a busy process never has.
  await expect.poll(held).toBeLessThan(full - 140_000_000)
})
