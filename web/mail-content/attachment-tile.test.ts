import { expect, test } from 'vitest'
import { previewOf } from './attachment-tile.tsx'

const file = (contentType: string, filename: string, size = 1_000) => ({
  ...{ n: 0, contentType, filename, size },
  ...{ contentId: null, width: null, height: null },
})

test.each([
  ['image/png', 'a.png', 'picture'],
  ['image/JPG', 'a', 'picture'],
  ['application/octet-stream', 'A.WEBP', 'picture'],
  ['application/pdf', 'a', 'pdf'],
  ['application/octet-stream', 'a.pdf', 'pdf'],
  ['image/svg+xml', 'a.svg', null],
  ['text/html', 'a.png', null],
  ['text/html', 'a.pdf', null],
  ['application/octet-stream', 'a.pdf.exe', null],
] as const)('%s named %s', (contentType, filename, kind) => {
  expect(previewOf(file(contentType, filename))).toBe(kind)
})

test('what is too large is saved only', () => {
  expect(previewOf(file('image/png', 'a.png', 26_000_000))).toBe(null)
})
