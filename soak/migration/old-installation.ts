/** An installation as versions before decisions 086 to 088 left it: no change log, texts written with the mail, files for blobs. */
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DAY_MS, systemClock } from '#server/lib/clock.ts'
import { fileBlobs } from '#server/storage/blobs/blobs.ts'
import { claimBlobs } from '#server/storage/blobs/open-blobs.ts'
import { folderPlace } from '#server/storage/blobs/places.ts'
import { SMALL_BYTES } from '#server/storage/blobs/segment-blobs.ts'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { migratorOf } from '#server/storage/open-storage.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { endlessMails } from '#test-world/trials/mails.ts'
import { aLivedInMailbox } from '../../bench/inbox-sample.ts'
import { anAdmin } from '../../bench/sample.ts'

/** The last migration before the change log. */
const BEFORE = '0054-mailbox-limits'
/**
 * Of the mails, every twentieth has a file of its own, which moves; the others share a large one, which does not, because a million
 * files take hours to write.
 */
const OWN_FILE_EVERY = 20
const AT_ONCE = 500

export type OldInstallation = {
  mailbox: Mailbox
  /** The bytes of the mails with a file of their own, by id; all others are `shared`. */
  own: Map<string, Buffer>
  shared: Buffer
}

export const withDatabase = async <T>(
  dataDir: string,
  act: (db: Database) => Promise<T>,
): Promise<T> => {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const db = openDatabase({ connection: postgres.connection, maxConnections: 4 }, () => {})
  try {
    return await act(db)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

export const anOldInstallation = async (
  db: Database,
  dataDir: string,
  count: number,
): Promise<OldInstallation> => {
  const { error } = await migratorOf(db).migrateTo(BEFORE)
  if (error !== undefined) throw error
  const folder = join(dataDir, 'blobs')
  await claimBlobs(db, folderPlace(folder))
  const files = fileBlobs(folder)
  const mails = endlessMails('ada@old.example', 1).filter(({ raw }) => raw.length <= SMALL_BYTES)
  const aMail = (): Buffer => mails.next().value?.raw ?? Buffer.alloc(0)
  const shared = Buffer.concat([aMail(), Buffer.alloc(SMALL_BYTES, 'large\r\n')])
  const world = { db, clock: systemClock }
  const blob = await files.put(shared)
  const given = { name: 'old', count, blobs: [blob], hasChangeLog: false }
  const mailbox = await aLivedInMailbox(world, await anAdmin(world), given)
  const ids = await db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', mailbox.id)
    .where(sql<boolean>`uid % ${OWN_FILE_EVERY} = 0`)
    .execute()
  const own = new Map<string, Buffer>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map(({ id }) => ({ id, raw: aMail() }))
    for (const { id, raw } of some) own.set(id, raw)
    const names = await Promise.all(some.map(({ raw }) => files.put(raw)))
    await sql`
      update messages set blob = made.blob
      from unnest(${some.map(({ id }) => id)}::uuid[], ${names}::text[]) as made (id, blob)
      where messages.id = made.id`.execute(db)
  }
  const old = new Date(Date.now() - 2 * DAY_MS)
  for await (const { hash } of files.list())
    await utimes(join(folder, hash.slice(0, 2), hash), old, old)
  // As autovacuum does in a minute.
  await sql`vacuum analyze`.execute(db)
  return { mailbox, own, shared }
}

/** Each migration as the next start of the product runs it. @returns the seconds that each took */
export const migrateInSteps = async (db: Database): Promise<Map<string, number>> => {
  const took = new Map<string, number>()
  for (;;) {
    const startedAt = performance.now()
    const { error, results = [] } = await migratorOf(db).migrateUp()
    if (error !== undefined) throw error
    const [done] = results
    if (done === undefined) return took
    took.set(done.migrationName, (performance.now() - startedAt) / 1000)
  }
}
