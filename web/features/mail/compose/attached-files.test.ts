import { expect, test } from 'vitest'
import { attach, MAX_ATTACHED_BYTES, whyTooMuch } from './attached-files.ts'

test('what would not fit into a message is refused with its size', () => {
  expect(whyTooMuch([{ size: 1_000_000 }], [{ name: 'a.pdf', size: 1_000_000 }])).toBeNull()
  expect(whyTooMuch([], [{ name: 'film.mp4', size: MAX_ATTACHED_BYTES + 1_000_000 }])).toBe(
    'Attachments may have 18MB together; with film.mp4 they would have 19MB',
  )
  expect(whyTooMuch(Array(100).fill({ size: 1 }), [{ name: 'a', size: 1 }])).toBe(
    'At most 100 files',
  )
})

test('a name is one line, and a strange type is plain bytes', async () => {
  // FileReader is the browser's; its part is tried in the stories.
  class Reader {
    result = 'data:;base64,aGk='
    onload = () => {}
    readAsDataURL() {
      this.onload()
    }
  }
  Object.assign(globalThis, { FileReader: Reader })
  const file = await attach(new Blob(['hi']), 'a\r\nb.txt', 'text/plain; charset=x')
  expect(file).toMatchObject({
    filename: 'a__b.txt',
    contentType: 'application/octet-stream',
    size: 2,
    content: 'aGk=',
  })
})
