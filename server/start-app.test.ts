import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConfig } from '#test-world/app.ts'
import { aClock } from '#test-world/clock.ts'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'
import { type RunningApp, startApp } from './start-app.ts'
import { countConnections } from './storage/connection-count.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'mailstead-test-start-'))
let database: TestDatabase
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

const start = (
  more: Partial<ReturnType<typeof testConfig>> = {},
  log = pino({ level: 'silent' }),
): Promise<RunningApp> =>
  startApp(
    { ...testConfig(dataDir), publicUrl: 'http://localhost:0', databaseUrl: database.url, ...more },
    { log, clock: aClock(), say: () => {} },
  )

const greeting = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('data', (data) => {
      socket.destroy()
      resolve(data.toString())
    })
  })

test('every role opens, the links know the port, and closing closes everything', async () => {
  const running = await start()
  const { http, smtp } = running.addresses
  if (!http || !smtp) throw new Error('not open')
  expect(running.app.config.publicUrl).toBe(`http://localhost:${new URL(http).port}`)
  expect((await fetch(`${http}/healthz`)).status).toBe(200)
  expect(await greeting(smtp.port)).toMatch(/^220 mail\.mailstead\.test /)
  await running.close()
  await expect(fetch(`${http}/healthz`)).rejects.toThrow()
  await expect(greeting(smtp.port)).rejects.toThrow('ECONNREFUSED')
  await expect(running.app.db.selectFrom('users').select('id').execute()).rejects.toThrow()
})

test('more connections than PostgreSQL takes are said at the start, and each process is counted while it runs', async () => {
  const says: string[] = []
  const begin = async (databaseConnections: number) => {
    const config = { ...testConfig(dataDir), publicUrl: 'http://localhost:0', databaseConnections }
    const world = { log: pino({ level: 'silent' }), say: (line: string) => void says.push(line) }
    return startApp({ ...config, databaseUrl: database.url }, world)
  }
  const first = await begin(100)
  const { db } = first.app
  await expect.poll(() => countConnections(db)).toMatchObject({ processes: 1, mayOpen: 113 })
  expect(says).toEqual([])
  const second = await begin(300)
  expect(says).toEqual([
    expect.stringMatching(
      /^The processes of this installation may open 426 connections to PostgreSQL, which takes 29\d: .* Raise max_connections /,
    ),
  ])
  await second.close()
  await first.close()
})

test('health is 503 until every part of the process is open, which is no news', async () => {
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const running = await start({ roles: ['web'] }, log)
  const health = async () => (await fetch(`${running.addresses.http}/healthz`)).status
  expect(running.addresses.smtp).toBeNull()
  const isOpen = running.app.readiness.waitFor('another part')
  expect(await health()).toBe(503)
  isOpen()
  expect(await health()).toBe(200)
  await running.close()
  expect(logged).toEqual([])
})

test('when a door cannot open, those before it are closed again', async () => {
  const first = await start({ roles: ['smtp'] })
  const taken = first.addresses.smtp?.port ?? 0
  const { promise: isListening, resolve } = Promise.withResolvers<number>()
  const { createServer } = await import('node:net')
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address()
    resolve(address && typeof address === 'object' ? address.port : 0)
  })
  const port = await isListening
  await new Promise((done) => probe.close(done))
  await expect(start({ port, smtpPort: taken })).rejects.toThrow(`SMTP_PORT is ${taken}, but`)
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  await first.close()
})

test('METRICS_LISTEN tells the health of a process of any role, and nothing else', async () => {
  const running = await start({ roles: ['worker'], metricsListen: { host: '127.0.0.1', port: 0 } })
  const { http, metrics } = running.addresses
  expect(http).toBeNull()
  const health = await fetch(`${metrics}/healthz`)
  expect([health.status, await health.json()]).toEqual([200, { status: 'ready' }])
  running.app.readiness.setAway('blobs', true)
  const away = await fetch(`${metrics}/healthz`)
  expect([away.status, (await away.json()).data]).toEqual([503, { parts: ['blobs'] }])
  expect(await (await fetch(`${metrics}/metrics`)).text()).toContain('mailstead_up 0')
  expect((await fetch(`${metrics}/nothing`)).status).toBe(404)
  await running.close()
})
