import { expect, test, vi } from 'vitest'
import { createUploadShelf } from './upload-shelf.ts'

const blob = new Blob(['a plan'])
const aShelf = () => {
  const under: { name: string; done: (id: string) => void; fail: (error: unknown) => void }[] = []
  const upload = vi.fn(
    (_file: Blob, name: string, { signal }: { signal: AbortSignal }) =>
      new Promise<string>((done, fail) => {
        under.push({ name, done, fail })
        signal.addEventListener('abort', () => fail(signal.reason))
      }),
  )
  return { shelf: createUploadShelf(upload), upload, under }
}

test('a file goes once, however often its id is asked for', async () => {
  const { shelf, upload, under } = aShelf()
  shelf.put('a', blob, 'a.txt')
  const ids = [shelf.idOf('a'), shelf.idOf('a')]
  await vi.waitFor(() => expect(under).toHaveLength(1))
  under[0]?.done('id-a')
  expect(await Promise.all(ids)).toEqual(['id-a', 'id-a'])
  expect(await shelf.idOf('a')).toBe('id-a')
  expect(upload).toHaveBeenCalledTimes(1)
})

test('one that failed is tried again when it is asked for; two go at once', async () => {
  const { shelf, under } = aShelf()
  for (const name of ['a', 'b', 'c']) shelf.put(name, blob, name)
  await vi.waitFor(() => expect(under.map(({ name }) => name)).toEqual(['a', 'b']))
  under[0]?.fail(new Error('no answer'))
  await vi.waitFor(() => expect(shelf.stateOf('a').status).toBe('failed'))
  await vi.waitFor(() => expect(under.map(({ name }) => name)).toEqual(['a', 'b', 'c']))
  const again = shelf.idOf('a')
  under[1]?.done('id-b')
  await vi.waitFor(() => expect(under.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'a']))
  under[3]?.done('id-a')
  expect(await again).toBe('id-a')
})

test('what is taken away stops; what the server has lost goes again, if it is still here', async () => {
  const { shelf, upload, under } = aShelf()
  shelf.put('a', blob, 'a.txt')
  await vi.waitFor(() => expect(under).toHaveLength(1))
  const id = shelf.idOf('a')
  shelf.drop('a')
  await expect(id).rejects.toThrow('taken away')
  shelf.put('b', blob, 'b.txt')
  await vi.waitFor(() => expect(under).toHaveLength(2))
  under[1]?.done('id-b')
  await shelf.idOf('b')
  expect(shelf.markLost('id-b')).toBe(true)
  void shelf.idOf('b')
  await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(3))
  shelf.markUploaded('c', 'id-c')
  expect(shelf.markLost('id-c')).toBe(false)
})

test('a file that the server copies is asked for at once, and again when that failed', async () => {
  const { shelf, upload } = aShelf()
  const copy = vi.fn(async () => 'id-a')
  copy.mockRejectedValueOnce(new Error('no answer'))
  shelf.putCopy('a', copy)
  await vi.waitFor(() => expect(shelf.stateOf('a').status).toBe('failed'))
  expect(await shelf.idOf('a')).toBe('id-a')
  expect(copy).toHaveBeenCalledTimes(2)
  expect(shelf.known()).toEqual([['a', 'id-a']])
  // This browser has nothing of it that it could store or upload.
  expect(shelf.blobs()).toEqual([])
  expect(shelf.markLost('id-a')).toBe(false)
  expect(upload).not.toHaveBeenCalled()
})
