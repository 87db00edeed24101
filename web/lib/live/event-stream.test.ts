import { expect, test } from 'vitest'
import { createEventReader, readEvents } from './event-stream.ts'

test('events are put together from pieces, and comments are passed over', () => {
  const take = createEventReader()
  expect(take(': connected\n\nda')).toEqual([])
  expect(take('ta: {"a":1}\n')).toEqual([])
  expect(take('\ndata: two\ndata: lines\n\n: beat\n\ndata:x\r\n\r\nevent: y\n\n')).toEqual([
    '{"a":1}',
    'two\nlines',
    'x',
  ])
})

test('a letter that is cut in two stays whole', async () => {
  const bytes = new TextEncoder().encode('data: ä\n\n')
  const heard: string[] = []
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      out.enqueue(bytes.slice(0, 7))
      out.enqueue(bytes.slice(7))
      out.close()
    },
  })
  await readEvents(body, (data) => heard.push(data), 1000)
  expect(heard).toEqual(['ä'])
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
