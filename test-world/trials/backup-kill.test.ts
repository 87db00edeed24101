/**
 * Backups and restores that are killed at moments by chance: the next run goes on, and nothing is lost. `KILLS=50 SEED=7` for more of
 * them, half of each.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEmptyDatabase } from '../database.ts'
import {
  aBackupWorld,
  BACKUP_KEY,
  type BackupWorld,
  mailIn,
  operator,
} from './backups/backup-world.ts'
import { chanceOf } from './seeded.ts'

const KILLS = Number(process.env.KILLS ?? 4)
const SEED = Number(process.env.SEED ?? 1)
const MAILS = 200

let world: BackupWorld
beforeAll(async () => {
  world = await aBackupWorld()
  await world.receive(MAILS)
})
afterAll(() => world.close())

const chance = chanceOf(SEED)

/** Kills it within the time that it takes. @returns whether it was still at work */
const killed = async (words: readonly string[], settings: Record<string, string>, ms: number) => {
  const { code } = await operator(words, settings, (child) => {
    setTimeout(() => child.kill('SIGKILL'), chance.between(ms / 4, ms))
  })
  return code === null
}

test('a backup or a restore that is killed loses nothing, and the next one goes on', async () => {
  const backups = join(world.folder, 'backups')
  const first = await operator(['backup', backups], world.here)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  let [backupsKilled, restoresKilled] = [0, 0]
  for (let n = 0; n < KILLS / 2; n++) {
    await world.receive(20)
    if (await killed(['backup', backups], world.here, first.ms)) backupsKilled++
  }
  const whole = await operator(['backup', backups], world.here)
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('is at') })
  expect(whole.stdout).not.toContain('were lost before')
  const verified = await operator(['backup', 'verify', backups], world.here)
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('is whole') })

  const elsewhere = await anEmptyDatabase()
  const dataDir = join(world.folder, 'elsewhere')
  const there = { DATABASE_URL: elsewhere.url, DATA_DIR: dataDir, BACKUP_KEY }
  for (let n = 0; n < KILLS / 2; n++)
    if (await killed(['restore', backups], there, 2 * first.ms)) restoresKilled++
    // It was faster: once more, as if it had not been.
    else writeFileSync(join(dataDir, 'restoring'), '')
  const restored = await operator(['restore', backups], there)
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('is restored') })
  expect(await mailIn(elsewhere.db, dataDir)).toEqual(
    await mailIn(world.app.db, world.app.config.dataDir),
  )
  await elsewhere.drop()
  process.stdout.write(
    `${backupsKilled} backups and ${restoresKilled} restores were killed at work\n`,
  )
  expect(backupsKilled + restoresKilled).toBeGreaterThan(0)
})
