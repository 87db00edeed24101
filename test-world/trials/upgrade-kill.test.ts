/**
 * Starts that update an older installation, after a backup of it, killed at moments by chance: the next one goes on, no mail is lost,
 * and the backup of before is whole. `KILLS=50 SEED=7` for more of them.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf } from '#server/storage/blobs/blobs.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import {
  anOldInstallation,
  type OldInstallation,
  withDatabase,
} from '../../soak/migration/old-installation.ts'
import { putCluster } from '../postgres/data-dir.ts'
import { killPostgres } from '../postgres/kill-postgres.ts'
import { type Program, startProgram } from '../program.ts'
import { BACKUP_KEY, mailIn, operator } from './backups/backup-world.ts'
import { chanceOf } from './seeded.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Number(process.env.SEED ?? 1)
const MAILS = 1_000

const chance = chanceOf(SEED)
let folder = ''
let template = ''
let old: OldInstallation
const places = { dataDir: '', backups: '' }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailstead-test-upgrade-'))
  // Started by root, PostgreSQL runs under another account that must be able to enter.
  chmodSync(folder, 0o711)
  template = mkdtempSync(join(folder, 'old-'))
  putCluster(template)
  old = await withDatabase(template, (db) => anOldInstallation(db, template, MAILS))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const begin = (): Program =>
  startProgram({
    ...{ DATA_DIR: places.dataDir, BACKUP_URL: places.backups, BACKUP_KEY },
    SECRET: 'a secret for tests, forty characters long',
    ...{ MAIL_HOST: 'mail.mailstead.example', ALLOW_LOOPBACK_PEERS: 'on', LOG_LEVEL: 'error' },
  })

let copies = 0
const anOldCopy = (): void => {
  places.dataDir = join(folder, `data-${copies}`)
  places.backups = join(folder, `backups-${copies++}`)
  execFileSync('cp', ['-a', template, places.dataDir])
}

/** Where the wait for the kill begins, and how long it is at most. */
const moments = [
  { line: /A backup is made before it is updated/, longestMs: 1_500 },
  { line: /Backup \S+ is at/, longestMs: 1_500 },
  { line: null, longestMs: 3_000 },
] as const

/** @returns whether it was killed before it was ready */
const kill = async ({ line, longestMs }: (typeof moments)[number]): Promise<boolean> => {
  const program = begin()
  let isReady = false
  void program.says(/Mailstead is ready/).then(
    () => (isReady = true),
    () => {},
  )
  // An earlier one may have made that backup.
  if (line !== null) await Promise.race([program.says(line), program.says(/Mailstead is ready/)])
  await wait(chance.between(0, longestMs))
  program.signal('SIGKILL')
  if (chance.between(0, 1) === 1) killPostgres(places.dataDir)
  await program.ended
  return !isReady
}

/** Starts it to the end, and compares it with what was there before. */
const check = async (): Promise<void> => {
  const program = begin()
  await program.says(/Mailstead is ready/)
  program.signal('SIGTERM')
  expect((await program.ended).code).toBe(0)
  await withDatabase(places.dataDir, async (db) => {
    const { rows } = await sql<{ id: string; blob: string }>`
      select id, blob from messages order by id`.execute(db)
    expect(rows.map(({ id, blob }) => `${id} ${hashIn(blob)}`)).toEqual(
      rows.map(({ id }) => `${id} ${hashOf(old.own.get(id) ?? old.shared)}`),
    )
    // Reads each by its hash.
    expect(await mailIn(db, places.dataDir)).toHaveLength(MAILS)
  })
  const settings = { DATA_DIR: places.dataDir, BACKUP_KEY }
  const verified = await operator(['backup', 'verify', places.backups], settings)
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('is whole') })
}

test(
  'a start that updates the database is killed: the next one goes on, and the backup of before is whole',
  async () => {
    anOldCopy()
    let killed = 0
    for (let n = 0; n < KILLS; n++) {
      if (await kill(moments[n % moments.length] ?? moments[0])) killed++
      else {
        await check()
        anOldCopy()
      }
    }
    await check()
    process.stdout.write(`${killed} of ${KILLS} starts were killed while they updated\n`)
    expect(killed).toBeGreaterThan(0)
  },
  120_000 + KILLS * 60_000,
)
