/** The daily sweep: what removed rows named goes, and nothing else is looked at. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { SMALL_BYTES } from '#server/storage/blobs/segment-blobs.ts'
import { placeOf } from '#server/storage/blobs/segment-file.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMailReader } from '#test-world/members.ts'
import { purgeTombstones } from '../change-log/purge-tombstones.ts'
import { deleteMessage } from '../change-message.ts'
import { receiveMessage } from '../receive-message.ts'
import { sweepFreed } from './sweep-blobs.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ who, mailbox } = await aMailReader(app))
  app.clock.catchUp()
  await newSegment()
})

/** Nobody appends to the segments of before. */
const newSegment = () => app.blobs.close()
const pass = (days: number) => app.clock.advance({ days, hours: 1 })

const letter = (subject: string, bytes = 100): Buffer =>
  Buffer.from(letterText({ subject, body: `${'x'.repeat(70)}\r\n`.repeat(bytes / 72) }))
const come = async (
  subject: string,
  bytes?: number,
  raw = letter(subject, bytes),
): Promise<{ id: string; blob: string }> => {
  await receiveMessage(app, app.db, { raw, mailFrom: '', authentication: null }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
  return rowOf(subject)
}
const rowOf = (subject: string) =>
  app.db
    .selectFrom('messages')
    .select(['id', 'blob'])
    .where('mailboxId', '=', mailbox.id)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
const deleteForGood = async (id: string) => {
  await deleteMessage(app, who, mailbox.id, id)
  await deleteMessage(app, who, mailbox.id, id)
}
const isThere = (blob: string) =>
  app.blobs.get(blob).then(
    () => true,
    () => false,
  )
const waiting = async () => (await app.db.selectFrom('freedBlobs').select('id').execute()).length

test('the file of a deleted mail stays while it can come back, and goes a day after', async () => {
  const { id, blob } = await come('Large', SMALL_BYTES * 2)
  expect(placeOf(blob)).toBe(null)
  await deleteForGood(id)
  pass(2)
  expect(await sweepFreed(app)).toBe(0)
  expect([await isThere(blob), await waiting()]).toEqual([true, 0])
  pass(30)
  await purgeTombstones(app)
  expect(await waiting()).toBe(1)
  expect(await sweepFreed(app)).toBe(1)
  expect([await isThere(blob), await waiting()]).toEqual([false, 0])
})

test('bytes that came again meanwhile stay', async () => {
  const raw = letter('Twice', SMALL_BYTES * 2)
  const { id, blob } = await come('Twice', 0, raw)
  await app.db.deleteFrom('messages').where('id', '=', id).execute()
  pass(2)
  expect((await come('Twice', 0, raw)).blob).toBe(blob)
  expect(await sweepFreed(app)).toBe(0)
  expect(await isThere(blob)).toBe(true)
})

test('a segment goes when its last mail does, and what is left of one that is mostly unused moves', async () => {
  const [gone, left] = [await come('Gone', 20_000), await come('Left', 200)]
  expect(placeOf(left.blob)?.segment).toBe(placeOf(gone.blob)?.segment)
  await app.db.deleteFrom('messages').where('id', '=', gone.id).execute()
  await newSegment()
  pass(2)
  expect(await sweepFreed(app)).toBe(0)
  const moved = (await rowOf('Left')).blob
  expect(placeOf(moved)?.segment).not.toBe(placeOf(left.blob)?.segment)
  expect(await isThere(gone.blob)).toBe(true)
  pass(2)
  expect(await sweepFreed(app)).toBe(1)
  expect([await isThere(gone.blob), await isThere(moved)]).toEqual([false, true])
})

test('a segment is asked about when an eighth of it was freed, over however many days', async () => {
  const mails: Awaited<ReturnType<typeof come>>[] = []
  for (let n = 0; n < 10; n++) mails.push(await come(`Mail ${n}`, 2_000))
  const { segment = '' } = placeOf(mails[0]?.blob ?? '') ?? {}
  expect(mails.every(({ blob }) => placeOf(blob)?.segment === segment)).toBe(true)
  const counted = async () =>
    (
      await app.db
        .selectFrom('freedSegments')
        .select('bytes')
        .where('place', '=', segment)
        .executeTakeFirst()
    )?.bytes
  await newSegment()
  const removeOne = async (n: number) => {
    await app.db
      .deleteFrom('messages')
      .where('id', '=', mails[n]?.id ?? '')
      .execute()
    pass(2)
    await sweepFreed(app)
    return counted()
  }
  expect(await waiting()).toBe(0)
  expect(await removeOne(0)).toBe(placeOf(mails[0]?.blob ?? '')?.size)
  // Asked, and counted anew from there.
  expect(await removeOne(1)).toBe(undefined)
  for (const n of [2, 3, 4]) await removeOne(n)
  expect(placeOf((await rowOf('Mail 9')).blob)?.segment).toBe(segment)
  await removeOne(5)
  // Less than half of it is named: what is left moved.
  expect(placeOf((await rowOf('Mail 9')).blob)?.segment).not.toBe(segment)
  pass(2)
  expect(await sweepFreed(app)).toBe(1)
  expect(await counted()).toBe(undefined)
})

test('a run looks once at a segment that was freed a thousand times', async () => {
  const [gone, left] = [await come('One of many', 5_000), await come('The other', 9_000)]
  const { segment = '' } = placeOf(left.blob) ?? {}
  await newSegment()
  await app.db.deleteFrom('messages').where('id', '=', gone.id).execute()
  // As the version before wrote them.
  await sql`insert into freed_blobs (place) select ${segment} from generate_series(1, 1000)`.execute(
    app.db,
  )
  pass(2)
  const asked: string[] = []
  const segmentOf = (name: string) => {
    asked.push(name)
    return app.blobs.segmentOf(name)
  }
  expect(await sweepFreed({ ...app, blobs: { ...app.blobs, segmentOf } })).toBe(0)
  expect([asked, await waiting()]).toEqual([[segment], 0])
})

test('a segment that is still written to waits for another day', async () => {
  const { id, blob } = await come('Young')
  await app.db.deleteFrom('messages').where('id', '=', id).execute()
  // A day ahead, by the clock of the database.
  await app.db
    .updateTable('freedBlobs')
    .set({ at: new Date(Date.now() - 3 * 86_400_000) })
    .execute()
  app.clock.set(new Date())
  expect(await sweepFreed(app)).toBe(0)
  expect([await isThere(blob), await waiting()]).toEqual([true, 1])
  await newSegment()
  pass(2)
  expect(await sweepFreed(app)).toBe(1)
  expect([await isThere(blob), await waiting()]).toEqual([false, 0])
})

test('a mailbox that is gone frees what its rows named', async () => {
  const { blob } = await come('Of a mailbox', SMALL_BYTES * 2)
  await app.db.deleteFrom('mailboxes').where('id', '=', mailbox.id).execute()
  pass(2)
  expect(await sweepFreed(app)).toBe(1)
  expect(await isThere(blob)).toBe(false)
})

test('every table that names blobs says when it frees one', async () => {
  const { rows } = await sql<{ table: string; triggers: string[] }>`
    select c.relname as table, array(
      select substr(t.tgname, length(c.relname) + 2) from pg_trigger t
      where t.tgrelid = c.oid and t.tgname in (c.relname || '_freed', c.relname || '_moved') order by 1
    )::text[] as triggers
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'blob'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(app.db)
  expect(rows).toEqual(
    ['mail_import_chunks', 'messages', 'outbox_messages', 'tombstones', 'uploads'].map((table) => ({
      ...{ table, triggers: ['freed', 'moved'] },
    })),
  )
})

test('what no row freed is not looked at', async () => {
  const { blob } = await come('Stays', SMALL_BYTES * 2)
  const orphan = await app.blobs.put(Buffer.alloc(SMALL_BYTES + 1, 'o'))
  pass(2)
  const looked: string[] = []
  const blobs = {
    ...app.blobs,
    deleteOlder: async (name: string, than: Date) => {
      looked.push(name)
      return app.blobs.deleteOlder(name, than)
    },
    list: () => {
      throw new Error('all files were listed')
    },
    segments: () => {
      throw new Error('all segments were listed')
    },
  }
  expect(await sweepFreed({ ...app, blobs })).toBe(0)
  expect(looked).toEqual([])
  expect([await isThere(blob), await isThere(orphan)]).toEqual([true, true])
})
