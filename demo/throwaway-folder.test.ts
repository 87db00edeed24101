import { existsSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
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

test('is given up at once, and removed by another process under another name', async () => {
  const folder = await makeThrowawayFolder()
  writeFileSync(join(folder.path, 'file'), '')
  const names: (string | null)[] = []
  const watcher = watch(temp, (_event, name) => void names.push(name))
  await folder.remove()
  expect(existsSync(folder.path)).toBe(false)
  await expect.poll(() => names).toContainEqual(expect.stringMatching(/^mailstead-old-demo-/))
  await expect.poll(() => readdirSync(temp)).toEqual([])
  watcher.close()
})
