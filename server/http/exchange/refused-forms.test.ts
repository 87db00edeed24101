import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openRefusedBytes } from './refused-forms.ts'

const piece = Buffer.alloc(1_000)
const pace = { bytesPerMs: 1e6, freeBytes: 1e9, slowBytesPerMs: 0.001 }

/** Of pieces that have all come. */
const aBody = (drop: ReturnType<typeof openRefusedBytes>, ip: string, pieces: number) => {
  const body = new PassThrough({ highWaterMark: 1e6 })
  const dropped = { count: 0 }
  for (let n = 0; n < pieces; n++) body.write(piece)
  body.end()
  body.on('data', (chunk: Buffer) => {
    dropped.count += 1
    drop(ip, body, chunk.length)
  })
  return { body, dropped }
}

test('what is refused is read at a pace of its network, to its end', async () => {
  const slow = openRefusedBytes({ ...pace, bytesPerMs: 0.001 })
  const [first, second] = [aBody(slow, '192.0.2.1', 5), aBody(slow, '192.0.2.1', 5)]
  const quick = openRefusedBytes(pace)
  const whole = aBody(quick, '192.0.2.1', 5)
  await once(whole.body, 'end')
  expect(whole.dropped.count).toBe(5)
  expect([first.dropped.count, second.dropped.count]).toEqual([1, 1])
})

test('a network has so much read at a good pace, then waits; another has its own', async () => {
  const drop = openRefusedBytes({ ...pace, freeBytes: 5_000 })
  const first = aBody(drop, '192.0.2.1', 5)
  await once(first.body, 'end')
  const [second, other] = [aBody(drop, '192.0.2.1', 5), aBody(drop, '198.51.100.1', 5)]
  await once(other.body, 'end')
  expect([first, second, other].map(({ dropped }) => dropped.count)).toEqual([5, 1, 5])
})
