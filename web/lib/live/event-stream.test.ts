import { expect, test } from 'vitest'
import { readEvents } from './live-events.ts'

/** What is heard of a body that arrives in these pieces. */
const heardOf = async (pieces: Uint8Array<ArrayBuffer>[]) => {
  const heard: string[] = []
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      for (const piece of pieces) out.enqueue(piece)
      out.close()
    },
  })
  await readEvents(body, (data) => heard.push(data), 1000)
  return heard
}

test('events are put together from pieces, and comments are passed over', async () => {
  const pieces = [
    ': connected\n\nda',
    'ta: {"a":1}\n',
    '\ndata: two\ndata: lines\n\n: beat\n\ndata:x\r\n\r\nevent: y\n\n',
  ]
  const encoder = new TextEncoder()
  expect(await heardOf(pieces.map((piece) => encoder.encode(piece)))).toEqual([
    '{"a":1}',
    'two\nlines',
    'x',
  ])
})

test('a letter that is cut in two stays whole', async () => {
  const bytes = new TextEncoder().encode('data: ä\n\n')
  expect(await heardOf([bytes.slice(0, 7), bytes.slice(7)])).toEqual(['ä'])
})

test('a stream that falls silent is given up', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    cancel: () => {
      isCancelled = true
    },
  })
  await readEvents(body, () => undefined, 5)
  expect(isCancelled).toBe(true)
})
