/** Two releases whose web apps differ, behind one balancer that leads each connection to the next of them (decision 138). */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserOptions } from '../browser-options.ts'
import { aDatabase, type TestDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { type Program, startProgram } from '../program.ts'
import { aBalancer, type Balancer } from './rolling/balancer.ts'
import { theNextVersion } from './rolling/other-versions.ts'
import { assetsIn, buildOthers, buildOurs } from './rolling/other-web-build.ts'

let next: string
let folder: string
let database: TestDatabase
let ports: [ours: number, next: number]
let balancer: Balancer
let programs: Program[] = []
let executablePath: string
beforeAll(async () => {
  // As for the stories, which installs it where it is missing.
  const found = execFileSync(process.execPath, ['scripts/find-browser.js'], { encoding: 'utf8' })
  executablePath = found.trim().split('\n').at(-1) ?? ''
  buildOurs()
  next = theNextVersion()
  buildOthers(next)
  folder = await mkdtemp(join(tmpdir(), 'mailstead-test-builds-'))
  database = await aDatabase()
  ports = [await freePort(), await freePort()]
  balancer = await aBalancer(ports)
  const start = async (port: number, root?: string) => {
    const program = startProgram(
      {
        ...{ DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), ROLES: 'web' },
        ...{ PORT: `${port}`, PUBLIC_URL: `http://127.0.0.1:${balancer.port}` },
        ...{ SECRET: 'one secret of both, forty characters long', LOG_LEVEL: 'warn' },
      },
      [],
      [],
      root,
    )
    await program.says(/Mailstead is ready: /)
    return program
  }
  programs = [await start(ports[0]), await start(ports[1], next)]
}, 300_000)
afterAll(async () => {
  balancer.close()
  for (const program of programs) program.signal('SIGTERM')
  await Promise.all(programs.map(({ ended }) => ended))
  await database.drop()
  for (const each of [next, folder]) rmSync(each, { recursive: true, force: true })
})

/** On a connection of its own. */
const ask = async (port: number, path: string, headers = {}) => {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject)
  const answer = await promise
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

test('the builds share no name', () => {
  const [ours, others] = [assetsIn(), assetsIn(next)]
  expect(ours.size).toBeGreaterThan(100)
  expect(others.size).toBe(ours.size)
  expect([...ours.keys()].filter((path) => others.has(path))).toEqual([])
})

test('each process has every file of both, as it was built', async () => {
  for (const build of [assetsIn(), assetsIn(next)])
    for (const [path, bytes] of build)
      for (const port of [...ports, balancer.port]) {
        const { status, headers, body } = await ask(port, path)
        expect(status, path).toBe(200)
        expect(body.equals(bytes), path).toBe(true)
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(headers['x-content-type-options']).toBe('nosniff')
      }
})

test('of another release it is compressed, and known by its tag, as there', async () => {
  const path = [...assetsIn().keys()].find((each) => each.includes('/base-')) ?? ''
  const accept = { 'accept-encoding': 'br' }
  const [home, away] = [await ask(ports[0], path, accept), await ask(ports[1], path, accept)]
  expect(home.headers['content-encoding']).toBe('br')
  expect(away.body.equals(home.body)).toBe(true)
  for (const name of ['content-encoding', 'content-type', 'etag', 'vary'])
    expect(away.headers[name], name).toBe(home.headers[name])
  const again = await ask(ports[1], path, { 'if-none-match': home.headers.etag })
  expect(again.status).toBe(304)
})

test('what no release has is not found', async () => {
  for (const port of ports) {
    expect((await ask(port, '/assets/login-page-AAAAaaaa.js')).status).toBe(404)
    expect((await ask(port, '/assets/%2e%2e-AAAAaaaa.js')).status).toBe(404)
  }
})

test('an open page goes on when the process that sent it has ended', async () => {
  await using browser = await chromium.launch({ ...browserOptions(), executablePath })
  const page = await browser.newPage()
  const ours = [...assetsIn().keys()].find((path) => /\/index-[\w-]{8}\.js$/.test(path))
  const appOf = () => page.locator('script[data-app]').getAttribute('data-app')
  do await page.goto(`http://127.0.0.1:${balancer.port}/login`)
  while ((await appOf()) !== ours)
  await page.evaluate(() => document.documentElement.setAttribute('data-since', 'the start'))
  const [first] = programs
  first?.signal('SIGTERM')
  await first?.ended
  const later: string[] = []
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (pathname.startsWith('/assets/')) later.push(`${answer.status()} ${pathname}`)
  })
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await expect.poll(() => later).not.toEqual([])
  expect(later.filter((line) => !line.startsWith('200'))).toEqual([])
  expect(await page.locator('html').getAttribute('data-since')).toBe('the start')
  expect(await appOf()).toBe(ours)
})
