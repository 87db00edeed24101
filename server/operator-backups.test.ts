import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { anEmptyDatabase } from '#test-world/database.ts'
import { aMember } from '#test-world/members.ts'
import { runOperator as operator } from '#test-world/people/run-operator.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

it.runIf(process.getuid?.() === 0)('works as the user whose DATA_DIR it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-operator-'))
  const [dataDir, backups] = [join(folder, 'data'), join(folder, 'backups')]
  await mkdir(dataDir)
  await mkdir(backups, { mode: 0o700 })
  await chmod(folder, 0o755)
  const nobody = 65_534
  await chown(dataDir, nobody, nobody)
  const settings = { DATA_DIR: dataDir, BACKUP_KEY: Buffer.alloc(32, 7).toString('base64') }
  expect((await operator(['backup', 'list', backups], settings)).stderr).toMatch(
    /^The backup place .* cannot be used by the user nobody: EACCES/,
  )
  await rm(folder, { recursive: true })
})

it('backs up, and restores into another database, which has the record of it', async () => {
  const environment = { DATABASE_URL: app.database.url, PUBLIC_URL: 'https://mail.example.com' }
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-operator-'))
  const elsewhere = await anEmptyDatabase()
  const to = join(folder, 'to')
  const backups = join(folder, 'backups')
  const secret = { SECRET: 'a secret for tests, forty characters long' }
  const here = { ...environment, ...secret, DATA_DIR: app.config.dataDir }
  const made = await operator(['backup', backups], here)
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Backup \d+T\d+Z is at [\s\S]* on the same disk[\s\S]*The key of these backups is \S{44}\./,
    ),
  })
  const [, key = ''] = /backups is (\S{44})\./.exec(made.stdout) ?? []
  const mistyped = await operator(['backup', 'lsit'], here)
  expect(mistyped.stderr).toMatch(/^'lsit' is no place of backups\./)
  const again = await operator(['backup'], { ...here, BACKUP_URL: backups })
  expect(again.stdout).not.toContain('key')
  expect((await operator(['backup'], here)).stderr).toMatch(/^Please say where/)
  const there = { DATABASE_URL: elsewhere.url, DATA_DIR: to, BACKUP_KEY: key }
  const list = await operator(['--json', 'backup', 'list', backups], there)
  expect(JSON.parse(list.stdout)).toHaveLength(2)
  expect((await operator(['backup', 'verify', backups], there)).stdout).toMatch(/is whole/)
  const keyless = await operator(['restore', backups], { ...there, BACKUP_KEY: '' })
  expect(keyless.stderr).toMatch(/^Please set BACKUP_KEY/)
  const restored = await operator(['restore', backups], there)
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Backup \S+ is restored/),
  })
  const actions = await operator(['action', 'list', 'restore'], there)
  expect(actions.stdout).toMatch(/terminal +restore +all/)
  await elsewhere.drop()
  await rm(folder, { recursive: true })
})

it('brings a mailbox and a workspace back from a backup', async () => {
  const here = {
    ...{ DATABASE_URL: app.database.url, PUBLIC_URL: 'https://mail.example.com' },
    ...{ SECRET: 'a secret for tests, forty characters long', DATA_DIR: app.config.dataDir },
  }
  const who = await aMember(app)
  const backups = await mkdtemp(join(tmpdir(), 'mailstead-test-operator-'))
  const { email } = await aMailbox(app, {
    domain: await aDomain(app, { workspaceId: who.workspaceId, active: true }),
  })
  await operator(['backup', backups], here)
  const back = (...words: string[]) => operator([...words, backups], here)
  const nothing = { stdout: expect.stringMatching(/^Nothing of backup \S+ is missing in /) }
  expect(await back('mailbox', 'restore', email)).toMatchObject(nothing)
  expect(await back('workspace', 'restore', who.workspaceId)).toMatchObject(nothing)
  const nobody = { stderr: 'There is no mailbox nobody@small.example.\n' }
  expect(await back('mailbox', 'restore', 'nobody@small.example')).toMatchObject(nobody)
  await rm(backups, { recursive: true })
  const noted = await operator(['--json', 'action', 'list'], here)
  const verbs = (JSON.parse(noted.stdout) as { did: string }[]).map(({ did }) => did)
  expect(verbs.slice(0, 3)).toEqual(['workspace restore', 'mailbox restore', 'backup'])
})
