/** Backups that an operator asks for in the browser: a worker makes and verifies them. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actionRows } from '#server/features/operators/operator-queries.ts'
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
