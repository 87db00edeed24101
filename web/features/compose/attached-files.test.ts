import { expect, test } from 'vitest'
import { MAX_UPLOAD_BYTES } from '#contract/mail/writing.ts'
import { safeContentType, safeFilename, whyTooMuch } from './attached-files.ts'

test('what would not fit into a message is refused with its size', () => {
  expect(whyTooMuch([{ size: 1_000_000 }], [{ name: 'a.pdf', size: 1_000_000 }])).toBeNull()
  expect(whyTooMuch([], [{ name: 'film.mp4', size: MAX_UPLOAD_BYTES + 1_000_000 }])).toBe(
    'Too large: at most 18MB in all (19MB with film.mp4).',
  )
  expect(whyTooMuch(Array(100).fill({ size: 1 }), [{ name: 'a', size: 1 }])).toBe(
    'At most 100 files',
  )
})

test('a name is one line, and a strange type is plain bytes', () => {
  expect(safeFilename('a\r\nb.txt')).toBe('a__b.txt')
  expect(safeFilename('')).toBe('file')
  expect(safeContentType('text/plain; charset=x')).toBe('application/octet-stream')
  expect(safeContentType('text/plain')).toBe('text/plain')
})
