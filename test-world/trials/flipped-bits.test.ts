/** One bit flipped in stored blobs and in the objects of a backup, again and again: each is found, and whose it is. `FLIPS=100` for more. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAt } from '#server/features/backups/read-backups.ts'
import { verifyBlobs } from '#server/features/backups/verify-blobs.ts'
import { HEADER_BYTES, pathOfSegment, placeOf } from '#server/storage/blobs/segment-file.ts'
import { aBackupWorld, BACKUP_KEY, type BackupWorld, operator } from './backups/backup-world.ts'
import { type Chance, chanceOf } from './seeded.ts'

const FLIPS = Number(process.env.FLIPS ?? 20)
const SEED = Number(process.env.SEED ?? 1)

let world: BackupWorld
let backups = ''
beforeAll(async () => {
  world = await aBackupWorld()
  await world.receive(FLIPS * 2)
  backups = join(world.folder, 'backups')
  expect(await operator(['backup', backups], world.here)).toMatchObject({ code: 0 })
})
afterAll(() => world.close())

/** @returns what turns it back */
const flip = (path: string, from: number, bytes: number, chance: Chance): (() => void) => {
  const whole = readFileSync(path)
  const flipped = Buffer.from(whole)
  const at = from + chance.between(0, bytes - 1)
  flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.between(0, 7))
  writeFileSync(path, flipped)
  return () => writeFileSync(path, whole)
}

test('in stored messages: all are found at once, with their mailbox, and the next backup names as many', async () => {
  const chance = chanceOf(SEED)
  const folder = join(world.app.config.dataDir, 'blobs')
  const rows = await world.app.db
    .selectFrom('messages')
    .select(['id', 'blob'])
    .orderBy('id')
    .execute()
  const struck = rows.filter((_, n) => n % 2 === 0).slice(0, FLIPS)
  expect(await verifyBlobs(world.app)).toEqual({ read: rows.length, struck: [] })
  const back = struck.map(({ blob }) => {
    const place = placeOf(blob)
    if (place !== null)
      return flip(
        pathOfSegment(folder, place.segment),
        place.offset + HEADER_BYTES,
        place.size,
        chance,
      )
    const path = join(folder, blob.slice(0, 2), blob)
    return flip(path, 0, readFileSync(path).length, chance)
  })
  const found = await verifyBlobs(world.app)
  expect(found.struck.map(({ blob }) => blob).toSorted()).toEqual(
    struck.map(({ blob }) => blob).toSorted(),
  )
  for (const each of found.struck)
    expect(each).toMatchObject({
      ...{ how: 'damaged', what: 'message', mailbox: world.mailbox.email },
      from: 'eve@example.net',
    })
  const said = await operator(['blob', 'verify'], world.here)
  expect(said.code).toBe(1)
  expect(said.stdout).toContain(
    `${FLIPS} of ${rows.length} messages and files are lost or damaged.`,
  )
  expect(
    said.stdout.match(new RegExp(`^damaged: message of ${world.mailbox.email} from eve@`, 'gm')),
  ).toHaveLength(FLIPS)
  const other = await operator(['backup', join(world.folder, 'of-damaged')], world.here)
  expect(other.stdout).toContain(`${FLIPS} messages were lost before`)
  for (const turn of back.toReversed()) turn()
  expect((await operator(['blob', 'verify'], world.here)).stdout).toContain(
    'are as they were stored',
  )
  process.stdout.write(
    `${found.struck.length} of ${FLIPS} flipped bits in stored messages were found\n`,
  )
})

test('in the objects of a backup: each is found', async () => {
  const chance = chanceOf(SEED)
  const app = {
    ...world.app,
    config: {
      ...world.app.config,
      backup: { ...world.app.config.backup, key: Buffer.from(BACKUP_KEY, 'base64') },
    },
  }
  const objects = readdirSync(backups, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  let found = 0
  for (let n = 0; n < FLIPS; n++) {
    const path = objects[chance.between(0, objects.length - 1)] ?? ''
    const turn = flip(path, 0, readFileSync(path).length, chance)
    await expect(verifyAt(app, backups, undefined), path).rejects.toThrow(/damaged|not/)
    turn()
    found++
  }
  expect(await verifyAt(app, backups, undefined)).toContain('is whole')
  process.stdout.write(`${found} of ${FLIPS} flipped bits in a backup were found\n`)
})
