import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'

const source = readFileSync(new URL('log-events.ts', import.meta.url), 'utf8')
const table = source.slice(
  source.indexOf('LogEvents = {'),
  source.indexOf('export type LogEvent ='),
)
const events = [...table.matchAll(/^ {2}'([a-z-]+)':/gm)].map(([, name]) => name ?? '')

test('each event of the table is met by a test that reads the log', async () => {
  expect(events).toContain('mail-accepted')
  let tests = ''
  for await (const file of glob('server/*/**/*.test.ts')) tests += readFileSync(file, 'utf8')
  const met = events.filter((event) => tests.includes(`'${event}'`))
  expect(met).toEqual(events)
})
