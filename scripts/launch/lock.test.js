import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isHeld, withLock } from './lock.js'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailstead-lock-'))
  path = join(folder, 'a.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const worker = `
import { withLock } from ${JSON.stringify(new URL('./lock.js', import.meta.url).href)}
import { readFileSync, writeFileSync } from 'node:fs'
const [, counter, lock] = process.argv
for (let i = 0; i < 5; i += 1)
  await withLock(lock, () => {}, async () => {
    const before = Number(readFileSync(counter, 'utf8'))
    await new Promise((done) => setTimeout(done, 5))
    writeFileSync(counter, String(before + 1))
  })
`

const start = (...args) => spawn(process.execPath, ['--input-type=module', '-e', ...args])
const ended = (child) => new Promise((resolve) => child.on('exit', resolve))

test('four processes never hold it together', async () => {
  const counter = join(folder, 'counter')
  writeFileSync(counter, '0')
  const codes = await Promise.all([1, 2, 3, 4].map(() => ended(start(worker, counter, path))))
  expect(codes).toEqual([0, 0, 0, 0])
  expect(readFileSync(counter, 'utf8')).toBe('20')
  expect(existsSync(path)).toBe(false)
})

test('one that was killed does not hold it', async () => {
  const holder = start(
    `import { withLock } from ${JSON.stringify(new URL('./lock.js', import.meta.url).href)}
     await withLock(process.argv[1], () => {}, () => new Promise((never) => { console.log('held'); setInterval(() => never, 1000) }))`,
    path,
  )
  await new Promise((resolve) => holder.stdout.once('data', resolve))
  expect(isHeld(path)).toBe(true)
  holder.kill('SIGKILL')
  await ended(holder)
  let waited = 0
  await withLock(
    path,
    () => {
      waited += 1
    },
    async () => {},
  )
  expect(waited).toBe(0)
})

test('a pid that was given out again does not hold it', () => {
  writeFileSync(path, `${process.pid} another-start`)
  expect(isHeld(path)).toBe(false)
})
