import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rememberOnce } from '#server/storage/installation.ts'
import { migrations } from '#server/storage/migrations.ts'
import { migratorOf } from '#server/storage/open-storage.ts'
import { anApp } from '#test-world/app.ts'
import { anEmptyDatabase } from '#test-world/database.ts'
import { aMember } from '#test-world/members.ts'
import { backUpByHand } from './make-backup.ts'
import { backupsAt, readManifest, writeManifest } from './manifest.ts'
import { openPlace } from './places/open-place.ts'
import { restoreFrom } from './read-backups.ts'
import { openSealed, type SealedPlace } from './sealed-place.ts'

const key = Buffer.alloc(32, 7)
const FIRST_ENDS = '0095-keys-of-holders'

/** As a program writes it that does not know the second record: to it that is a table as any other. */
const asOfBefore = async (place: SealedPlace, id: string): Promise<void> => {
  const manifest = await readManifest(place, id)
  const since = manifest.migrations.filter((name) => name > FIRST_ENDS)
  const piece = `snapshots/${id}/kysely_migration_since.0`
  await place.write(piece, Buffer.from(since.map((name) => `${name}\t2026-11-29\n`).join('')))
  const record = {
    ...{ name: 'kysely_migration_since', columns: ['name', 'timestamp'] },
    ...{ rows: since.length, pieces: [piece] },
  }
  await writeManifest(place, id, {
    ...manifest,
    migrations: manifest.migrations.filter((name) => name <= FIRST_ENDS),
    tables: [...manifest.tables, record],
  })
}

it('a backup that a program from before the second record made of a newer database is restored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-backups-'))
  const elsewhere = await anEmptyDatabase()
  const secret = 'a secret for tests, forty characters long'
  const app = await anApp({ config: { secret, backup: { place: null, at: '03:00', key } } })
  try {
    const { userId } = await aMember(app)
    await rememberOnce(app.db, 'id', randomUUID())
    await backUpByHand(app, join(folder, 'backups'))
    const place = await openSealed(openPlace(join(folder, 'backups')), key, false)
    const [id = ''] = (await backupsAt(place)).finished
    await asOfBefore(place, id)
    const target = { dataDir: join(folder, 'to'), databaseUrl: elsewhere.url, secret: null }
    const world = { config: { ...app.config, ...target }, clock: app.clock }
    await restoreFrom(world, join(folder, 'backups'), undefined)
    const users = await elsewhere.db.selectFrom('users').select('id').execute()
    expect(users).toEqual([{ id: userId }])
    const done = (await migratorOf(elsewhere.db).getMigrations()).map(({ name }) => name)
    expect(done).toEqual(Object.keys(migrations).toSorted())
  } finally {
    await app.close()
    await elsewhere.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
