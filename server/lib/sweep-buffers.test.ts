import { afterAll, expect, test } from 'vitest'
import { sweepBuffers } from './sweep-buffers.ts'

const end = sweepBuffers()
afterAll(end)

const held = () => process.memoryUsage().arrayBuffers

/** As old as what was waited for: what is young is collected with everything else. */
const grow = () => {
  const young: object[] = []
  for (let n = 0; n < 4_000_000; n++) young[n % 1_000] = { n: [n] }
}

test('buffers that nobody uses are given back while nothing else is made', async () => {
  const before = held()
  let buffers: Buffer[] | null = []
  for (let n = 0; n < 20; n++) buffers.push(Buffer.alloc(10_000_000, 'x'))
  expect(held()).toBeGreaterThan(before + 190_000_000)
  grow()
  buffers = null
  // V8 itself does so after eight seconds without work, which the process never has.
  await expect.poll(held, { timeout: 5_000 }).toBeLessThan(before + 60_000_000)
})
