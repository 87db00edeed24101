import { expect, test } from 'vitest'
import { resultWords } from './use-upload.ts'

test.each([
  [{ filed: 1, skipped: 0, failed: 0 }, '1 message imported.'],
  [
    { filed: 1200, skipped: 1, failed: 0 },
    '1,200 messages imported, 1 was here already or deleted in the file.',
  ],
  [
    { filed: 0, skipped: 3, failed: 2 },
    '0 messages imported, 3 were here already or deleted in the file, 2 could not be imported.',
  ],
])('%j', (counts, expected) => {
  expect(resultWords(counts)).toBe(expected)
})
