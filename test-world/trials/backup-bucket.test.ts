/** Backups in a bucket. `STORE=swift` takes OpenStack Swift instead of the store of this process. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recall, remember } from '#server/storage/installation.ts'
import { anEmptyDatabase } from '../database.ts'
import { anObjectStore, type ObjectStore } from '../object-store/object-store.ts'
import { startSwift } from '../object-store/swift.ts'
import {
  aBackupWorld,
  BACKUP_KEY,
  type BackupWorld,
  mailIn,
  operator,
} from './backups/backup-world.ts'

const MAILS = 100

let world: BackupWorld
let store: ObjectStore
beforeAll(async () => {
  world = await aBackupWorld()
  await world.receive(MAILS)
  store = process.env.STORE === 'swift' ? await startSwift() : await anObjectStore()
  await store.makeBucket('mail')
})
afterAll(async () => {
  await store?.close()
  await world.close()
})

test('a backup in a bucket comes back; a wrong secret and a store that is away are named', async () => {
  const where = store.url('mail/customers')
  // A move is under way, of which the restored one knows nothing.
  await remember(world.app.db, 'blobs-move', 'here\nthere')
  const made = await operator(['backup', where], world.here)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).not.toContain('testing')
  await world.receive(10)
  // The address may come from the settings, and a bucket may hold other things.
  const more = await operator(['backup'], { ...world.here, BACKUP_URL: where })
  expect(more).toMatchObject({ code: 0, stderr: '' })
  const listed = await operator(['--json', 'backup', 'list', where], world.here)
  expect(JSON.parse(listed.stdout)).toHaveLength(2)
  const verified = await operator(['backup', 'verify', where], world.here)
  expect(verified.stdout).toContain('is whole')

  const elsewhere = await anEmptyDatabase()
  const dataDir = join(world.folder, 'elsewhere')
  const there = { DATABASE_URL: elsewhere.url, DATA_DIR: dataDir, BACKUP_KEY }
  const restored = await operator(['restore', where], there)
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('is restored') })
  expect(await mailIn(elsewhere.db, dataDir)).toEqual(
    await mailIn(world.app.db, world.app.config.dataDir),
  )
  expect(await recall(elsewhere.db, 'blobs-move')).toBe(null)
  await elsewhere.drop()

  const wrong = await operator(['backup', store.url('mail/customers', 'guessed')], world.here)
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/^The backup place s3:\/\/127\.0\.0\.1:\d+\/mail\/customers .*\n$/)
  await store.stop()
  const away = await operator(['backup', where], world.here)
  expect(away.code).toBe(1)
  expect(away.stderr).toMatch(/^The backup place s3:\/\/127\.0\.0\.1:\d+\/mail\/customers .*\n$/)
  await store.start()
  expect(await operator(['backup', where], world.here)).toMatchObject({ code: 0 })
})
