import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { madeOnce } from './data-folder.ts'

test('a secret is made once, private, and two starts at once agree on it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-once-'))
  const file = join(folder, 'secret')
  try {
    // The second start makes the file before the first one has.
    const first = madeOnce(file, () => {
      madeOnce(file, () => 'quicker')
      return 'slower'
    })
    expect(first).toBe('quicker')
    expect(madeOnce(file, () => 'later')).toBe('quicker')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['secret'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
