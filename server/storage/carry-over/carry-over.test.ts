/** What a start says that cannot carry the database over. That it does so is a trial of its own, with kills: carry-over-kill. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aDataDir } from '#test-world/postgres/data-dir.ts'
import { startProgram } from '#test-world/program.ts'

let dataDir = ''
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const aClusterOf = (major: string): string => {
  dataDir = aDataDir()
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${major}\n`)
  return join(dataDir, 'postgres', 'global', 'pg_control')
}
const start = (more: Record<string, string> = {}) =>
  startProgram({ DATA_DIR: dataDir, ...more }).ended

test('without a connection a start names the command that fetches the older programs, and changes nothing', async () => {
  const control = aClusterOf('17')
  const [before, folders] = [readFileSync(control), readdirSync(dataDir)]
  const { code, stdout, stderr } = await start({ npm_config_registry: 'http://127.0.0.1:9' })
  expect(code).toBe(1)
  expect(stdout).toContain('The database is of PostgreSQL 17. It is carried over to PostgreSQL 18')
  expect(stderr).toContain(`Nothing was changed. With a connection, please run: npm run setup -- `)
  expect(stderr).toContain(dataDir)
  expect(stderr).toContain('cannot be reached')
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(readFileSync(control)).toEqual(before)
  expect(readdirSync(dataDir).filter((name) => !/^(?:runtime|secret)/.test(name))).toEqual(
    folders.filter((name) => name !== 'runtime'),
  )
})

test('a database of a version that nobody has is refused in words', async () => {
  aClusterOf('13')
  const { code, stderr } = await start()
  expect(code).toBe(1)
  expect(stderr).toContain('There is no PostgreSQL 13 for')
})

test('a database of a newer PostgreSQL is refused in words', async () => {
  aClusterOf('99')
  const { code, stderr } = await start()
  expect(code).toBe(1)
  expect(stderr).toMatch(/is of PostgreSQL 99, and this version of Mailstead brings 18\. Please/)
})
