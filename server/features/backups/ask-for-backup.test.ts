/** Backups that an operator asks for in the browser: a worker makes and verifies them. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actionRows } from '#server/features/operators/operator-queries.ts'
import { BACKUP_LOCK, VERIFY_LOCK } from '#server/storage/locks.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { askForBackup, listKept, showBackups, verifyWhenAsked } from './ask-for-backup.ts'
import { backUpDaily } from './make-backup.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailstead-test-asked-'))
  const backup = { place: join(folder, 'backups'), at: '03:00', key: Buffer.alloc(32, 7) }
  app = await anApp({ config: { backup, secret: 'a secret for tests, forty characters long' } })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const OPERATOR = 'ops@mailstead.example'
/** Of another process. */
const connected = async (): Promise<pg.Client> => {
  const client = new pg.Client(app.connection)
  await client.connect()
  return client
}
const fail = (reason: string): never => {
  throw new Error(reason)
}

test('one is made once for each time that it is asked for, and leaves a record', async () => {
  await backUpDaily(app)
  await backUpDaily(app)
  expect((await showBackups(app)).made).toHaveLength(1)
  app.clock.advance({ minutes: 5 })
  expect(await askForBackup(app, OPERATOR, 'backup')).toMatchObject({ isAsked: true })
  await Promise.allSettled([backUpDaily(app), backUpDaily(app)])
  const { made, isAsked, lastWhole, place } = await showBackups(app)
  expect(made).toMatchObject([{ error: '' }, { error: '' }])
  expect([isAsked, lastWhole?._id, place]).toEqual([false, made[0]?._id, app.config.backup.place])
  expect(await actionRows(app.db).execute()).toMatchObject([
    { operator: OPERATOR, verb: 'backup', detail: made[0]?.snapshot },
  ])
  const kept = await listKept(app)
  expect(kept.items.map(({ id }) => id)).toEqual([made[0]?.snapshot])
})

test('the newest is verified when that is asked for, and damage is told', async () => {
  await verifyWhenAsked(app)
  expect((await showBackups(app)).verification).toBe(null)
  const asked = await askForBackup(app, OPERATOR, 'verify')
  expect(asked.verification).toMatchObject({ endedAt: null })
  await verifyWhenAsked(app)
  expect((await showBackups(app)).verification).toMatchObject({
    ...{ isWhole: true, endedAt: expect.any(String) },
    says: expect.stringMatching(/^Backup \S+ is whole/),
  })
  const [newest] = (await listKept(app)).items
  const at = join(app.config.backup.place ?? '', 'snapshots', newest?.id ?? '')
  const pieces = (await readdir(at)).filter((name) => name !== 'manifest')
  expect(pieces.length).toBeGreaterThan(0)
  for (const name of pieces) await writeFile(join(at, name), 'damaged')
  await askForBackup(app, OPERATOR, 'verify')
  await verifyWhenAsked(app)
  expect((await showBackups(app)).verification).toMatchObject({
    ...{ isWhole: false, endedAt: expect.any(String), says: expect.stringContaining('damaged') },
  })
})

test('one that is asked for stays so until it is made, and no second worker begins it', async () => {
  const before = (await showBackups(app)).made.length
  app.clock.advance({ minutes: 5 })
  await askForBackup(app, OPERATOR, 'backup')
  const other = await connected()
  await other.query('begin; lock table preferences in access exclusive mode')
  const making = backUpDaily(app)
  await expect.poll(async () => (await showBackups(app)).made[0]).toMatchObject({ endedAt: null })
  expect((await showBackups(app)).isAsked).toBe(true)
  await backUpDaily(app)
  await other.end()
  await making
  const { made, isAsked } = await showBackups(app)
  expect([made.length, made[0]?.error, isAsked]).toEqual([before + 1, '', false])
})

test('one that is asked for while another is under way is made afterwards', async () => {
  const before = (await showBackups(app)).made.length
  const other = await connected()
  await other.query('select pg_advisory_lock($1)', [BACKUP_LOCK])
  app.clock.advance({ minutes: 5 })
  await askForBackup(app, OPERATOR, 'backup')
  await backUpDaily(app)
  const waiting = await showBackups(app)
  expect([waiting.made.length, waiting.isAsked]).toEqual([before, true])
  await other.end()
  await backUpDaily(app)
  const { made, isAsked } = await showBackups(app)
  expect([made.length, made[0]?.error, isAsked]).toEqual([before + 1, '', false])
})

test('a verification that a worker left is done by the next, and by one at once', async () => {
  await askForBackup(app, OPERATOR, 'verify')
  const dying = { now: () => fail('the worker died') }
  await expect(verifyWhenAsked({ ...app, clock: dying })).rejects.toThrow('the worker died')
  const other = await connected()
  await other.query('select pg_advisory_lock($1)', [VERIFY_LOCK])
  await verifyWhenAsked(app)
  expect((await showBackups(app)).verification).toMatchObject({ endedAt: null })
  await other.end()
  await verifyWhenAsked(app)
  expect((await showBackups(app)).verification).toMatchObject({ isWhole: true })
})

test('where none is set up, nothing can be asked for', async () => {
  const none = {
    ...app,
    config: { ...app.config, backup: { place: null, at: '03:00', key: null } },
  }
  await expect(askForBackup(none, OPERATOR, 'backup')).rejects.toThrow(
    'Please set BACKUP_URL first',
  )
  expect(await showBackups(none)).toMatchObject({ place: null, nextAt: null })
})
