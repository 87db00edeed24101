import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { sweepBlobs } from '#server/features/messages/blobs/sweep-blobs.ts'
import { appendMessages } from '#server/features/messages/by-uid/append-messages.ts'
import { readFolderStates } from '#server/features/messages/by-uid/folder-states.ts'
import { createFolder } from '#server/features/messages/own-folders.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { startApp } from '#server/start-app.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import type { Database } from '#server/storage/database.ts'
import { rememberOnce } from '#server/storage/installation.ts'
import { migratorOf, openStorage } from '#server/storage/open-storage.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { anEmptyDatabase, type TestDatabase } from '#test-world/database.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { missingKey } from './backup-key.ts'
import { readLastBackup } from './backup-queries.ts'
import { keptOf, removeOldBackups } from './keep-backups.ts'
import { backUpByHand, backUpDaily } from './make-backup.ts'
import { openPlace } from './places/open-place.ts'
import { listBackups, restoreFrom, restoreMailboxFrom, verifyAt } from './read-backups.ts'
import { openSealed } from './sealed-place.ts'

const SECRET = 'a secret for tests, forty characters long'
const key = Buffer.alloc(32, 7)

let app: TestApp
let mailbox: Mailbox
let folder: string
const databases: TestDatabase[] = []
const folders: string[] = []

const aFolder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'mailstead-test-backups-'))
  folders.push(made)
  return made
}

const receive = (subject: string, body = 'Hello.') =>
  receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(letterText({ subject, body })),
      mailFrom: 'eve@example.net',
      authentication: null,
    },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )

beforeAll(async () => {
  app = await anApp({ config: { secret: SECRET, backup: { place: null, at: '03:00', key } } })
  const who = await aMember(app)
  mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, mailbox, who.userId)
  await receive('Tabs\tand \\ line ends', 'One\r\nTwo \u{1f600}\r\n')
  await receive('Large', 'The mill. '.repeat(40_000))
  await receive('Again')
  await rememberOnce(app.db, 'id', randomUUID())
  folder = await aFolder()
})
afterAll(async () => {
  await app.close()
  for (const database of databases) await database.drop()
  for (const each of folders) await rm(each, { recursive: true, force: true })
})

/** Restores into another database and folder. */
const restored = async (id?: string) => {
  const database = await anEmptyDatabase()
  databases.push(database)
  const dataDir = join(await aFolder(), 'data')
  const config = { ...app.config, dataDir, databaseUrl: database.url, secret: null }
  const said = await restoreFrom({ config, clock: app.clock }, folder, id)
  return { database, dataDir, config, said }
}

/** Each table as text, whatever the product thinks that there are; a blob has another place in another store. */
const contents = async (db: Database): Promise<Record<string, string[]>> => {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1`.execute(
    db,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db)
    all[name] = rows
      .map(({ row }) => row.replace(/"blob": "[^"]*([0-9a-f]{64})"/, '"blob": "$1"'))
      .toSorted()
  }
  return all
}

/** Written by the backup and the restore themselves. */
const OWN = ['backups', 'operator_actions']

it('comes back with every row of every table and every blob, also of a table that is new', async () => {
  await sql`create table brand_new (id bigserial primary key, note text, made bytea)`.execute(
    app.db,
  )
  await sql`insert into brand_new (note, made) values (${'a\tb\\\n'}, ${Buffer.from([0, 10, 92])}), (null, null)`.execute(
    app.db,
  )
  const made = await backUpByHand(app, folder)
  expect(made).toMatchObject({ missing: 0, keyText: null, isSameDisk: true })
  // What only a migration can bring is refused in words, and nothing is half there.
  await expect(restored()).rejects.toThrow('brand_new')
  await sql`drop table brand_new`.execute(app.db)
  app.clock.advance({ hours: 1 })
  await backUpByHand(app, folder)
  const before = await contents(app.db)
  const { database, dataDir } = await restored()
  const after = await contents(database.db)
  for (const name of OWN) {
    delete before[name]
    delete after[name]
  }
  expect(Object.keys(before).length).toBeGreaterThan(60)
  expect(before.messages).toHaveLength(3)
  expect(before.message_texts?.length).toBeGreaterThan(0)
  expect(after).toEqual(before)
  const blobs = segmentBlobs(join(dataDir, 'blobs'))
  const { rows } = await sql<{ blob: string }>`select blob from messages`.execute(database.db)
  const whole = await Promise.all(rows.map(async ({ blob }) => (await blobs.get(blob)).length > 0))
  expect(whole).toEqual([true, true, true])
  await blobs.close()
})

it('has its keys, indexes and triggers back, and starts', async () => {
  const { database, config } = await restored()
  const shape = async (db: Database) => {
    const { rows } = await sql<{ shape: string }>`
      select pg_get_indexdef(indexrelid) as shape from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relnamespace = 'public'::regnamespace
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal`.execute(
      db,
    )
    return rows.map((row) => row.shape).toSorted()
  }
  expect(await shape(database.db)).toEqual(await shape(app.db))
  const running = await startApp(config, { log: app.log, say: () => {} })
  try {
    expect(await running.app.secrets.mac('x')).toEqual(app.secrets.mac('x'))
    const { blob } = await running.app.db
      .selectFrom('messages')
      .select('blob')
      .executeTakeFirstOrThrow()
    expect((await running.app.blobs.get(blob)).length).toBeGreaterThan(0)
  } finally {
    await running.close()
  }
})

it('adds only what is new', async () => {
  const packs = async () => (await readdir(join(folder, 'packs'))).length
  const before = await packs()
  app.clock.advance({ hours: 1 })
  const same = await backUpByHand(app, folder)
  expect(await packs()).toBe(before)
  await receive('New', 'Something else.')
  app.clock.advance({ hours: 1 })
  const more = await backUpByHand(app, folder)
  expect(await packs()).toBe(before + 2)
  expect(more.blobs).toBe(same.blobs + 1)
  expect(await verifyAt(app, folder, undefined)).toMatch(/is whole: \d+ tables, \d+ messages/)
})

it('holds what waited in the queue: it may have been sent since', async () => {
  const raw = Buffer.from(letterText({ subject: 'Out' }))
  await app.db.transaction().execute((tx) =>
    enqueueMessage(app, tx, {
      ...{ raw, mailFrom: mailbox.email, recipients: ['ada@elsewhere.example'] },
      workspaceId: mailbox.workspaceId,
      keepInSent: null,
    } as never),
  )
  app.clock.advance({ hours: 1 })
  await backUpByHand(app, folder)
  const { database, said } = await restored()
  expect(said).toContain('1 deliveries that waited are held')
  const rows = await database.db.selectFrom('deliveries').select('heldAt').execute()
  expect(rows.map(({ heldAt }) => heldAt !== null)).toEqual([true])
})

describe('what is damaged', () => {
  it('is found: one flipped bit in any object', async () => {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const [newest] = (await listBackups(app, folder)).map(({ id }) => id)
    const ofIt = names.filter((name) => name.includes(newest ?? '') || name.includes('packs'))
    expect(ofIt.length).toBeGreaterThan(10)
    for (const [n, name] of ofIt.entries()) {
      const bytes = await readFile(name)
      const at = (n * 7_919) % bytes.length
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (n % 8))
      await writeFile(name, flipped)
      await expect(verifyAt(app, folder, newest), name).rejects.toThrow(/damaged|not/)
      await writeFile(name, bytes)
    }
    expect(await verifyAt(app, folder, newest)).toContain('is whole')
  })

  it('is named when a blob was lost before, and the rest comes back', async () => {
    const place = await aFolder()
    const { stored } = app.blobs
    const names = (await app.db.selectFrom('messages').select('blob').execute()).map(
      ({ blob }) => blob,
    )
    const lost = hashIn(names[0] ?? '')
    const other = segmentBlobs(await aFolder())
    const blobs = {
      stored: (name: string) => (hashIn(name) === lost ? other.stored(name) : stored(name)),
    }
    const made = await backUpByHand({ ...app, blobs }, place)
    expect(made.missing).toBe(1)
    expect(await listBackups(app, place)).toMatchObject([{ missing: 1 }])
    await other.close()
  })

  it('is left out where only a part is asked for, and the rest comes back', async () => {
    const [pack = ''] = (await readdir(join(folder, 'packs'))).filter(
      (name) => !name.endsWith('.list'),
    )
    const path = join(folder, 'packs', pack)
    const bytes = await readFile(path)
    await writeFile(path, bytes.subarray(1))
    const database = await anEmptyDatabase()
    databases.push(database)
    const dataDir = join(await aFolder(), 'data')
    const config = { ...app.config, dataDir, databaseUrl: database.url, secret: null }
    const said = await restoreFrom({ config, clock: app.clock }, folder, undefined, true)
    await writeFile(path, bytes)
    expect(said).toMatch(/\n\d+ messages and files are damaged in the backup, and left out\.\n/)
    expect((await database.db.selectFrom('messages').select('id').execute()).length).toBe(4)
    // The key is there for the backups of tomorrow.
    expect(await readFile(join(dataDir, 'backup-key'), 'utf8')).toBe(key.toString('base64'))
  })

  it('is not restored, and the same restore goes on where it is mended', async () => {
    const [pack = ''] = (await readdir(join(folder, 'packs'))).filter(
      (name) => !name.endsWith('.list'),
    )
    const path = join(folder, 'packs', pack)
    const bytes = await readFile(path)
    await writeFile(path, bytes.subarray(1))
    const database = await anEmptyDatabase()
    databases.push(database)
    const config = {
      ...app.config,
      dataDir: join(await aFolder(), 'data'),
      databaseUrl: database.url,
      secret: null,
    }
    const restore = () => restoreFrom({ config, clock: app.clock }, folder, undefined)
    await expect(restore()).rejects.toThrow('is damaged.')
    await expect(startApp(config, { log: app.log })).rejects.toThrow('was not finished')
    await writeFile(path, bytes)
    expect(await restore()).toContain('Mailstead can be started.')
    expect((await database.db.selectFrom('messages').select('id').execute()).length).toBe(4)
  })
})

describe('refuses in a sentence', () => {
  it.each([
    [
      'another key',
      { backup: { place: null, at: '03:00', key: Buffer.alloc(32, 8) } },
      'is not the key',
    ],
    [
      'another SECRET',
      { secret: 'another secret of more than thirty-two letters' },
      'SECRET is not the one',
    ],
  ])('%s', async (_, config, sentence) => {
    const dataDir = join(await aFolder(), 'data')
    const world = { config: { ...app.config, dataDir, ...config }, clock: app.clock }
    await expect(restoreFrom(world, folder, undefined)).rejects.toThrow(sentence)
  })

  it('a place without a backup, a backup that is not there, and a folder or database that is not empty', async () => {
    const empty = await aFolder()
    await expect(listBackups(app, empty)).rejects.toThrow('There is no backup of Mailstead')
    await expect(verifyAt(app, folder, '20200101T000000Z')).rejects.toThrow(
      'There is no backup 2020',
    )
    await expect(restoreFrom(app, folder, undefined)).rejects.toThrow('which is not empty')
    const config = {
      ...app.config,
      dataDir: join(await aFolder(), 'data'),
      databaseUrl: app.database.url,
    }
    await expect(restoreFrom({ config, clock: app.clock }, folder, undefined)).rejects.toThrow(
      'The database is not empty',
    )
    expect((await app.db.selectFrom('messages').select('id').execute()).length).toBe(4)
  })
})

it('leaves the sweep out, and lets nobody back up at the same time', async () => {
  const client = new pg.Client(app.connection)
  await client.connect()
  await client.query('select pg_advisory_lock(7620001), pg_advisory_lock_shared(7620002)')
  const orphan = await app.blobs.put(Buffer.alloc(200_000, 'x'))
  // Files have the time of the system.
  app.clock.set(new Date(Date.now() + 2 * 86_400_000))
  expect(await sweepBlobs(app)).toBe(0)
  await expect(backUpByHand(app, folder)).rejects.toThrow('Another backup is under way.')
  // What that one has written is in no manifest yet, and must not be taken for old.
  const sealed = await openSealed(openPlace(folder), key, false)
  await expect(removeOldBackups(app.connection, sealed)).rejects.toThrow('Another backup')
  await client.end()
  expect(await sweepBlobs(app)).toBeGreaterThan(0)
  expect(await app.blobs.has(orphan)).toBe(false)
})

describe('each day', () => {
  it('backs up once when its time has come, and again an hour after a failure', async () => {
    const place = await aFolder()
    const daily = { ...app, config: { ...app.config, backup: { place, at: '03:00', key } } }
    const count = async () => (await listBackups(app, place).catch(() => [])).length
    await app.db.deleteFrom('backups').execute()
    app.clock.advance({ days: 1 })
    await backUpDaily(daily)
    await backUpDaily(daily)
    expect(await count()).toBe(1)
    app.clock.advance({ days: 1 })
    await writeFile(join(place, 'mailstead-backup'), 'not ours')
    await expect(backUpDaily(daily)).rejects.toThrow('is not the key')
    await backUpDaily(daily)
    app.clock.advance({ hours: 1 })
    await expect(backUpDaily(daily)).rejects.toThrow('is not the key')
    expect(await readLastBackup(app.db)).toMatchObject({
      ...{ snapshot: null, place, error: expect.stringContaining('is not the key') },
    })
    expect(app.logged('backup-made')).toHaveLength(1)
  })

  it('keeps of each of 7 days, 5 weeks and 12 months the newest', () => {
    const ids: string[] = []
    for (let day = 0; day < 500; day++) {
      const at = new Date(Date.UTC(2026, 0, 1, 3) + day * 86_400_000)
      ids.push(at.toISOString().replace(/[-:]|\.\d+/g, ''))
    }
    const kept = [...keptOf(ids)].toSorted()
    expect(kept.slice(-7)).toEqual(ids.slice(-7))
    expect(kept.length).toBeGreaterThanOrEqual(18)
    expect(kept.length).toBeLessThanOrEqual(24)
    expect((kept[0] ?? '') < '20260701').toBe(true)
  })
})

it('opens with this program what it restored', async () => {
  const { config } = await restored()
  const storage = await openStorage(config, { onError: () => {} })
  expect(await storage.db.selectFrom('users').select('id').execute()).not.toEqual([])
  await storage.close()
})

it('brings back what one mailbox has lost, where it was, and nothing twice', async () => {
  const who = { ...(await aMember(app)) }
  const other = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, other, who.userId)
  const flags = {
    isRead: true,
    isStarred: true,
    isAnswered: true,
    isDraft: false,
    isDeleted: false,
  }
  const folderOf = (name: string) => createFolder(app, who, other.id, name)
  const [inbox, bills] = [
    await standardFolder(app, who, other.id),
    await folderOf('Bills/\u00dcber \ud83d\ude00'),
  ]
  const append = (folderId: string, subject: string, keywords: string[] = []) =>
    appendMessages(app, who, { mailboxId: other.id, folderId }, [
      {
        raw: Buffer.from(letterText({ subject, body: `${subject}\n` })),
        flags: { ...flags, keywords },
        date: new Date('2020-02-03T04:05:06Z'),
      },
    ])
  await append(inbox, 'Kept')
  await append(inbox, 'Lost at the top', ['$Forwarded', 'a"b', 'c{d'])
  await append(bills._id, 'Lost inside')
  const place = await aFolder()
  await backUpByHand(app, place)
  await app.db
    .deleteFrom('messages')
    .where('mailboxId', '=', other.id)
    .where('subject', 'like', 'Lost%')
    .execute()
  await sql`delete from conversations where mailbox_id = ${other.id}`.execute(app.db)

  const restore = () =>
    restoreMailboxFrom(app, 'terminal', place, { address: other.email, id: undefined })
  expect(await restore()).toMatch(
    /^2 messages of backup \S+ are in the folder 'Restored \d{4}-\d\d-\d\d' of .*\n1 were there already\.$/,
  )
  expect(await restore()).toMatch(/^Nothing of backup/)
  const { rows } = await sql<Record<string, unknown>>`
    select m.subject, f.name, m.is_read, m.is_starred, m.is_answered, m.keywords, m.date from messages m
    join folders f on f.id = m.folder_id where m.mailbox_id = ${other.id} order by m.subject`.execute(
    app.db,
  )
  const was = {
    isRead: true,
    isStarred: true,
    isAnswered: true,
    date: new Date('2020-02-03T04:05:06Z'),
  }
  expect(rows).toEqual([
    { subject: 'Kept', name: 'Inbox', keywords: [], ...was },
    {
      subject: 'Lost at the top',
      name: expect.stringMatching(/^Restored [\d-]{10}$/),
      keywords: ['$Forwarded', 'a"b', 'c{d'],
      ...was,
    },
    {
      subject: 'Lost inside',
      name: expect.stringMatching(/^Restored [\d-]{10}\/Bills\/\u00dcber \ud83d\ude00$/),
      keywords: [],
      ...was,
    },
  ])
  await expect(
    restoreMailboxFrom(app, 'terminal', folder, { address: other.email, id: undefined }),
  ).rejects.toThrow('The backup has no mailbox')
})

const standardFolder = async (app: TestApp, who: Who, mailboxId: string): Promise<string> => {
  const found = (await readFolderStates(app, who, mailboxId)).find(({ role }) => role === 'inbox')
  return found?.id ?? ''
}

describe('before an update', () => {
  const before = '0068-operators'

  const anOldOne = async () => {
    const database = await anEmptyDatabase()
    databases.push(database)
    await migratorOf(database.db).migrateTo(before)
    const dataDir = await aFolder()
    const place = await aFolder()
    const config = {
      ...{ ...app.config, dataDir, databaseUrl: database.url },
      backup: { place, at: '03:00', key },
    }
    await sql`insert into users (id, email, first_name, last_name, created_at) values
      (gen_random_uuid(), 'old@example.org', 'Old', 'Timer', now())`.execute(database.db)
    return { database, place, config }
  }

  it('a backup is made of the schema as it was, and a newer Mailstead restores it', async () => {
    const { place, config } = await anOldOne()
    const said: string[] = []
    const running = await startApp(config, { log: app.log, say: (line) => void said.push(line) })
    await running.close()
    expect(said[1]).toMatch(/^Backup \S+ is at /)
    const again = await startApp(config, { log: app.log, say: (line) => void said.push(line) })
    await again.close()
    const made = await listBackups(app, place)
    expect(made).toHaveLength(1)
    const elsewhere = await anEmptyDatabase()
    databases.push(elsewhere)
    const target = {
      ...app.config,
      dataDir: join(await aFolder(), 'data'),
      databaseUrl: elsewhere.url,
      secret: null,
    }
    await restoreFrom({ config: target, clock: app.clock }, place, undefined)
    const users = await elsewhere.db.selectFrom('users').select('email').execute()
    expect(users).toEqual([{ email: 'old@example.org' }])
    expect(await elsewhere.db.selectFrom('backups').selectAll().execute()).toEqual([])
  })

  it('nothing changes when that backup fails', async () => {
    const { database, place, config } = await anOldOne()
    await writeFile(join(place, 'mailstead-backup'), 'not ours')
    await expect(startApp(config, { log: app.log, say: () => {} })).rejects.toThrow(
      /^The backup before the update failed: .* start once without BACKUP_URL\.$/,
    )
    const done = await migratorOf(database.db).getMigrations()
    expect(done.findLast(({ executedAt }) => executedAt !== undefined)?.name).toBe(before)
  })
})

describe('a key that the first backup makes', () => {
  const keyless = async () => {
    const dataDir = await aFolder()
    return {
      ...app,
      config: { ...app.config, dataDir, backup: { place: null, at: '03:00', key: null } },
    }
  }

  it('is printed until a backup was whole, and is no other one for a place that has backups', async () => {
    await app.db.deleteFrom('backups').execute()
    const fresh = await keyless()
    const closed = join(await aFolder(), 'file')
    await writeFile(closed, '')
    await expect(backUpByHand(fresh, closed)).rejects.toThrow(/^The backup place .* cannot be used/)
    const place = await aFolder()
    const first = await backUpByHand(fresh, place)
    expect(first.keyText).toContain(
      await readFile(join(fresh.config.dataDir, 'backup-key'), 'utf8'),
    )
    expect((await backUpByHand(fresh, place)).keyText).toBe(null)
    const other = await keyless()
    await expect(backUpByHand(other, place)).rejects.toThrow(/^Please set BACKUP_KEY/)
    expect(await readdir(other.config.dataDir)).toEqual([])
  })
})

it('old backups go with the packs that only they need, and the others stay whole', async () => {
  const place = await aFolder()
  const packs = async () =>
    (await readdir(join(place, 'packs'))).filter((name) => !name.endsWith('.list'))
  // A Friday, after which the week has days enough.
  app.clock.set(new Date('2027-03-05T12:00:00Z'))
  await backUpByHand(app, place)
  app.clock.advance({ hours: 1 })
  await receive('Only for a day', 'It was not meant to stay.')
  await backUpByHand(app, place)
  const two = await packs()
  expect(two).toHaveLength(2)
  await app.db.deleteFrom('messages').where('subject', '=', 'Only for a day').execute()
  for (let day = 0; day < 12; day++) {
    app.clock.advance({ days: 1 })
    await backUpByHand(app, place)
  }
  const ids = (await listBackups(app, place)).map(({ id }) => id)
  const sealed = await openSealed(openPlace(place), key, false)
  expect(await removeOldBackups(app.connection, sealed)).toBe(
    ids.length - keptOf(ids.toReversed()).size,
  )
  const left = (await listBackups(app, place)).map(({ id }) => id)
  expect(left.toSorted()).toEqual([...keptOf(ids.toReversed())].toSorted())
  expect(left.length).toBeLessThan(ids.length)
  expect(await packs()).toHaveLength(1)
  for (const id of left) expect(await verifyAt(app, place, id)).toContain('is whole')
})

it('is known to be out of reach of a host that has not the key', async () => {
  const place = await aFolder()
  const backup = { place, at: '03:00', key: null }
  const source = { ...app, config: { ...app.config, dataDir: await aFolder(), backup } }
  expect(await missingKey(source)).toBeNull()
  await backUpByHand(source, place)
  expect(await missingKey(source)).toBeNull()
  const elsewhere = { ...source.config, dataDir: await aFolder() }
  expect(await missingKey({ ...app, config: elsewhere })).toMatch(
    /^The backups at \S+ have a key that this host does not have, .* Please set BACKUP_KEY /,
  )
})
