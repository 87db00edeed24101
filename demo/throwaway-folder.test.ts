import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeThrowawayFolder } from './throwaway-folder.ts'

let temp = ''
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'mailstead-test-'))
  vi.stubEnv('TMPDIR', temp)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(temp, { recursive: true, force: true })
})

test('is given up at once, and removed without anybody waiting for the disk', async () => {
  const folder = await makeThrowawayFolder()
  writeFileSync(join(folder.path, 'file'), '')
  await folder.remove()
  expect(readdirSync(temp)).toEqual([expect.stringMatching(/^mailstead-old-demo-/)])
  await expect.poll(() => readdirSync(temp)).toEqual([])
})
