import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aDatabase, type TestDatabase } from '#test-world/database.ts'
import { ask } from '#test-world/postgres/postgres-owner.ts'
import { ANY_PORT, type Program, startProgram } from '#test-world/program.ts'
import { readConfig } from './config.ts'
import { StartError } from './lib/ports/bound-ports.ts'
import { startApp } from './start-app.ts'

const root = mkdtempSync(join(tmpdir(), 'mailstead-test-main-'))
chmodSync(root, 0o711)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const running: Program[] = []
const start = (...parameters: Parameters<typeof startProgram>): Program => {
  const program = startProgram(...parameters)
  running.push(program)
  return program
}
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.signal('SIGTERM')
    await program.ended
  }
})

test('tells its launcher when it is ready', async () => {
  const database = await aDatabase()
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const own = { DATA_DIR: join(root, 'launched'), DATABASE_URL: database.url, RUN_AS: 'root' }
  const child = fork('server/main.ts', {
    env: { PATH, NODE_COMPILE_CACHE, ...ANY_PORT, ...own },
    silent: true,
  })
  let said = ''
  child.stdout?.on('data', (text) => {
    said += text
  })
  expect(await once(child, 'message')).toEqual(['ready', undefined])
  await expect.poll(() => said).toContain('Mailstead is ready: ')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  await database.drop()
})

test('starts from nothing, serves, refuses a second one, and stops cleanly', async () => {
  const settings = { DATA_DIR: join(root, 'whole'), LOG_LEVEL: 'warn' }
  const first = start(settings)
  const [, address] = await first.says(/^Mailstead is ready: (http:\S+)$/m)
  await first.says(/^Mail is accepted at 127\.0\.0\.1:\d+$/m)
  const health = await fetch(`${address}/healthz`)
  expect(health.status).toBe(200)

  const second = await start(settings).ended
  expect(second.code).toBe(1)
  expect(second.stderr).toBe(
    `Mailstead is already running on this DATA_DIR (${settings.DATA_DIR}). Please stop it first, or choose another DATA_DIR.\n`,
  )
  expect((await fetch(`${address}/healthz`)).status).toBe(200)

  first.signal('SIGHUP')
  expect((await fetch(`${address}/healthz`)).status).toBe(200)

  first.signal('SIGINT')
  const end = await first.ended
  expect(end.code).toBe(0)
  expect(end.stdout).toMatch(/\nStopping \.\.\.\n$/)
  // No log line about broken connections.
  expect(end.stderr).toBe('')
  expect(existsSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false)
  await expect(fetch(`${address}/healthz`)).rejects.toThrow()
})

test('a start that hangs ends at once when somebody insists', async () => {
  const silent = createServer()
  const asked = new Promise((resolve) => silent.once('connection', resolve))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const program = start({
    DATABASE_URL: `postgresql://127.0.0.1:${port}/mail`,
    DATA_DIR: join(root, 'hanging'),
  })
  await asked
  const insist = setInterval(() => program.signal('SIGTERM'), 100)
  const end = await program.ended
  clearInterval(insist)
  silent.close()
  // No log line about the database: the start was not waited for.
  expect(end).toEqual({ code: 1, stdout: 'Stopping ...\n', stderr: '' })
})

test('--help lists the settings, and starts nothing', async () => {
  const { code, stdout, stderr } = await start({}, ['--help']).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('  SMTP_PORT\n')
})

describe('on an outside server', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabase()
  })
  afterAll(() => database.drop())
  const settings = (more: Record<string, string> = {}) => ({
    DATABASE_URL: database.url,
    DATA_DIR: join(root, 'outside'),
    LOG_LEVEL: 'error',
    ...more,
  })

  test('runs the same, and two processes share it', async () => {
    const one = start(settings())
    const two = start(settings({ ROLES: 'web' }))
    for (const program of [one, two]) {
      const [, address] = await program.says(/^Mailstead is ready: (http:\S+)$/m)
      expect((await fetch(`${address}/healthz`)).status).toBe(200)
    }
    expect(existsSync(join(root, 'outside', 'postgres'))).toBe(false)
    one.signal('SIGTERM')
    expect(await one.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('a second process with another folder of blobs is refused with a sentence, and the first goes on', async () => {
    const one = start(settings())
    const [, address] = await one.says(/^Mailstead is ready: (http:\S+)$/m)
    const elsewhere = join(root, 'not-mounted')
    mkdirSync(elsewhere)
    copyFileSync(join(root, 'outside', 'secret'), join(elsewhere, 'secret'))
    const { code, stdout, stderr } = await start(settings({ DATA_DIR: elsewhere })).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^\S+\/not-mounted\/blobs is not where this database keeps its mail\. [^\n]+\n$/,
    )
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
  })

  test('an uncaught error is logged once, and Mailstead continues to run', async () => {
    const bugs = `
      const bug = new Error('a bug')
      process.on('SIGUSR2', () => { setImmediate(() => { throw bug }); Promise.reject(bug) })
      process.on('SIGPIPE', () => { Promise.reject(new Error('another')) })`
    const program = start(
      settings({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bugs)}` }),
    )
    const [, address] = await program.says(/^Mailstead is ready: (http:\S+)$/m)
    await program.says(/^Mail is accepted/m)
    program.signal('SIGUSR2')
    await program.logs(/a bug/)
    program.signal('SIGPIPE')
    await program.logs(/another/)
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    program.signal('SIGTERM')
    const { code, stderr } = await program.ended
    expect(code).toBe(0)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { msg: 'uncaught error; Mailstead continues to run', err: { message: 'a bug' } },
      { origin: 'unhandledRejection', err: { message: 'another' } },
    ])
  })

  const refused = async (more: Record<string, string>, args: string[] = []) => {
    const { code, stdout, stderr } = await start(settings(more), args).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    return stderr
  }

  /** The same in this process, which needs no start of Node: `main.ts` says each StartError as it is. */
  const refusedHere = async (more: Record<string, string>) => {
    const said: string[] = []
    const environment = { ...ANY_PORT, RUN_AS: 'root', ...settings(more) }
    const start = async () => {
      const options = {
        say: (line: string) => void said.push(line),
        log: pino({ level: 'silent' }),
      }
      const started = await startApp(readConfig(environment, root), options)
      await started.close()
    }
    const thrown: unknown = await start().catch((error: unknown) => error)
    const error = thrown instanceof SuppressedError ? thrown.suppressed : thrown
    expect(error).toBeInstanceOf(StartError)
    expect(said).toEqual([])
    return `${(error as StartError).message}\n`
  }

  describe('a port that is taken names its setting', () => {
    let other: Server
    let port: string
    beforeAll(async () => {
      other = createServer()
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      port = String((other.address() as AddressInfo).port)
    })
    afterAll(() => other.close())

    test.each(['PORT', 'SMTP_PORT'])('%s', async (name) => {
      expect(await (name === 'PORT' ? refused : refusedHere)({ [name]: port })).toBe(
        `${name} is ${port}, but another program already uses that port on 127.0.0.1. Please choose another with ${name}.\n`,
      )
    })
  })

  test('a DATA_DIR that cannot be written to', async () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect(await refusedHere({ DATA_DIR: join(file, 'data') })).toMatch(
      /^DATA_DIR is \S+\/file\/data, where Mailstead cannot write: ENOTDIR.* Please choose another folder with DATA_DIR\.\n$/,
    )
  })

  test.runIf(process.platform === 'linux')('a DATA_DIR where nothing can be made', async () => {
    expect(await refusedHere({ DATA_DIR: '/proc/mailstead/data' })).toMatch(
      /^DATA_DIR is \/proc\/mailstead\/data, where Mailstead cannot write: ENOENT.* Please choose another folder with DATA_DIR\.\n$/,
    )
  })

  test('a server that does not answer, without its password', async () => {
    const url = 'postgresql://me:hidden@127.0.0.1:1/mail'
    expect(await refusedHere({ DATABASE_URL: url })).toBe(
      'DATABASE_URL is postgresql://127.0.0.1:1/mail, which cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n',
    )
  })

  test('a bad setting, an unknown argument', async () => {
    expect(await refused({ PORT: 'high' })).toBe(
      'PORT is "high", but it must be a port number from 0 to 65535.\n',
    )
    expect(await refusedHere({ ROLES: 'pop' })).toBe(
      'ROLES is "pop", but it must be all, or some of web, smtp, imap, worker.\n',
    )
    expect(await refused({}, ['--port', '1'])).toBe(
      '--port is not understood. --help lists the settings.\n',
    )
  })

  test('a certificate that is not there', async () => {
    expect(await refusedHere({ TLS_CERT: '/none.pem', TLS_KEY: '/none.key' })).toMatch(
      /^TLS_CERT is \/none\.pem, which cannot be used: ENOENT.*\n$/,
    )
  })

  test('another secret than the one that the database was made with', async () => {
    const secret = readFileSync(join(root, 'outside', 'secret'), 'utf8')
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await refusedHere({ SECRET: 'x'.repeat(40) })).toBe(
      'SECRET is not the one that this database was made with. Please set SECRET to that one: if it was never set, it is in the file named secret in the DATA_DIR of the first start.\n',
    )
    const elsewhere = join(root, 'elsewhere')
    expect(await refusedHere({ DATA_DIR: elsewhere })).toMatch(
      /^This database was made with a secret that is not here\. Please set SECRET to that one: /,
    )
    // What it would make of its own would stay.
    expect(existsSync(join(elsewhere, 'secret'))).toBe(false)
  })

  test('a database of a newer version', async () => {
    const newer = await aDatabase()
    try {
      await ask(newer.connection, "insert into kysely_migration values ('9999-later', '2030')")
      const needed = "update installation set value = '9998-next' where key = 'needed-migration'"
      await ask(newer.connection, needed)
      expect(await refusedHere({ DATABASE_URL: newer.url })).toBe(
        'This database was made by a newer version of Mailstead. Please start that version, or a newer one.\n',
      )
    } finally {
      await newer.drop()
    }
  })
})
