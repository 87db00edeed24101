import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMailProgram, type MailProgram, noFlags } from '#test-world/mail/mail-program.ts'
import { changeFlags } from './change-flags.ts'
import type { FolderAt } from './in-folder.ts'
import { copyMessages, moveMessages } from './place-messages.ts'
import { type MessageByUid, readByUid } from './read-by-uid.ts'
import { messagesOf, type StoredColumn } from './read-store.ts'
import { flagColumns } from './uid-store.ts'

let app: TestApp
let program: MailProgram
let inbox: FolderAt
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  program = await aMailProgram(app)
  inbox = await program.at('inbox')
})

const plain = [
  ...flagColumns,
  ...(['blob', 'sizeBytes', 'date', 'savedAt', 'threadId', 'preview'] as const),
]
const structured = [...plain, 'structure', 'envelope', 'bodyStructure'] as const

const read = async (
  uids: number[],
  wanted: { columns?: readonly StoredColumn[]; changedSince?: number } = {},
  who = program.who,
  at = inbox,
) => {
  const all: MessageByUid[] = []
  const portions: number[] = []
  const whole = { columns: plain, changedSince: null, ...wanted }
  for await (const portion of readByUid(app, who, at, uids, whole)) {
    all.push(...portion)
    portions.push(portion.length)
  }
  return { all, portions }
}

test('messages are told in the order of their uids, without those that are gone', async () => {
  await program.come('1', '2', '3')
  await moveMessages(app, program.who, inbox, [2], (await program.at('archive')).folderId)
  const { all } = await read([1, 2, 3, 4])
  const rows = await program.rows('inbox')
  expect(all.map(({ uid }) => uid)).toEqual([1, 3])
  expect(all[1]).toMatchObject({
    ...{ id: rows[1]?.id, threadId: rows[1]?.threadId, modseq: rows[1]?.modseq, ...noFlags },
    ...{ preview: 'Hello', date: app.clock.now(), savedAt: app.clock.now() },
  })
  expect(all[1]?.sizeBytes).toBe((await app.blobs.get(all[1]?.blob ?? '')).length)
})

test('flags are told without reading a structure, and missing structures are read and kept', async () => {
  await program.come('1', '2')
  await sql`alter table message_structures rename to hidden_structures`.execute(app.db)
  try {
    expect((await read([1, 2])).all).toHaveLength(2)
  } finally {
    await sql`alter table hidden_structures rename to message_structures`.execute(app.db)
  }
  const stored = () =>
    app.db
      .selectFrom('messageStructures')
      .selectAll()
      .where('mailboxId', '=', inbox.mailboxId)
      .execute()
  const before = await stored()
  await app.db.deleteFrom('messageStructures').where('mailboxId', '=', inbox.mailboxId).execute()
  const { all } = await read([1, 2], { columns: structured })
  expect(all.map(({ structure }) => structure?.envelope.subject)).toEqual(['1', '2'])
  expect(new Set(await stored())).toEqual(new Set(before))
})

test('texts that an earlier version did not write are read and kept', async () => {
  await program.come('1', '2')
  const columns = ['envelope', 'bodyStructure'] as const
  const before = (await read([1, 2], { columns })).all
  expect(before[0]?.envelope).toContain('"eve" "example.net"')
  const forget = () =>
    app.db
      .updateTable('messageStructures')
      .set({ envelope: null, bodyStructure: null })
      .where('mailboxId', '=', inbox.mailboxId)
      .execute()
  await forget()
  // Their bytes are not needed for it.
  await app.db
    .updateTable('messages')
    .set({ blob: '0'.repeat(64) })
    .where('mailboxId', '=', inbox.mailboxId)
    .execute()
  const whole = await read([1, 2], { columns: structured })
  expect(whole.all.map(({ structure }) => structure?.envelope.subject)).toEqual(['1', '2'])
  expect(whole.all.map(({ envelope }) => envelope)).toEqual(before.map(({ envelope }) => envelope))
  expect((await read([1, 2], { columns })).all).toEqual(before)
})

test('nothing is read but what was asked for', async () => {
  await program.come('1')
  const { all } = await read([1], { columns: ['envelope'] })
  expect(Object.keys(all[0] ?? {})).toEqual(['uid', 'envelope'])
})

test('a message whose bytes are lost has no structure, and the others have theirs', async () => {
  await program.come('1', '2')
  await app.db.deleteFrom('messageStructures').where('mailboxId', '=', inbox.mailboxId).execute()
  await app.db
    .updateTable('messages')
    .set({ blob: '0'.repeat(64) })
    .where('mailboxId', '=', inbox.mailboxId)
    .where('uid', '=', 1)
    .execute()
  const { all } = await read([1, 2], { columns: structured })
  expect(all.map(({ structure }) => structure?.envelope.subject)).toEqual([undefined, '2'])
})

test('only what changed since a modseq', async () => {
  await program.come('1', '2', '3')
  const since = (await program.rows('inbox'))[1]?.modseq ?? 0
  await changeFlags(app, program.who, inbox, [1], {
    ...{ how: 'add', flags: { ...noFlags, isStarred: true }, unchangedSince: null },
  })
  const { all } = await read([1, 2, 3], { changedSince: since })
  expect(all.map(({ uid, isStarred }) => [uid, isStarred])).toEqual([
    [1, true],
    [3, false],
  ])
})

test('many messages come in portions, the first one small', async () => {
  await program.come('1')
  const one = () => copyMessages(app, program.who, inbox, all(), inbox.folderId)
  let count = 1
  const all = () => Array.from({ length: count }, (_, n) => n + 1)
  for (; count < 500; count *= 2) await one()
  const unstructured = await read(all())
  expect(unstructured.portions).toEqual([100, count - 100])
  expect(unstructured.all.map(({ uid }) => uid)).toEqual(all())
  expect((await read(all(), { columns: structured })).portions).toEqual([100, 250, count - 350])
})

test('nothing is read of others', async () => {
  await program.come('1')
  const other = await aMailProgram(app)
  const mixed = { mailboxId: other.mailbox.id, folderId: inbox.folderId }
  for (const at of [inbox, mixed])
    await expect(read([1], {}, other.who, at)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('of a large folder among many small ones, no other message is looked at', async () => {
  await program.come('1')
  const others = await Promise.all(Array.from({ length: 40 }, () => aMailbox(app)))
  const add = (mailboxIds: string[], role: string, many: number) =>
    sql`
      insert into messages select (jsonb_populate_record(m, jsonb_build_object(
        'id', gen_random_uuid(), 'uid', 1 + n, 'mailbox_id', f.mailbox_id, 'folder_id', f.id, 'workspace_id', f.workspace_id))).*
      from messages m, folders f, generate_series(1, ${many}::int) n
      where m.mailbox_id = ${inbox.mailboxId} and m.uid = 1 and f.mailbox_id = any(${mailboxIds}::uuid[]) and f.role = ${role}`.execute(
      app.db,
    )
  await add(
    others.map(({ id }) => id),
    'inbox',
    3,
  )
  await add([inbox.mailboxId], 'inbox', 2_000)
  await sql`analyze messages`.execute(app.db)
  const { workspaceId, userId } = program.who
  const place = { ...inbox, workspaceId, userId, now: app.clock.now() }
  for (const uids of [[500], [500, 501, 502], [500, 900, 1_500]]) {
    const seen = await app.db.transaction().execute(async (tx) => {
      // As of a statement that is run often.
      await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
      const rows = await messagesOf(tx, place, uids, { columns: flagColumns, changedSince: null })
      expect(rows.map(({ uid }) => uid)).toEqual(uids)
      const count = sql<{ fetched: number }>`
        select seq_tup_read + idx_tup_fetch as fetched from pg_stat_xact_user_tables where relname = 'messages'`
      return (await count.execute(tx)).rows[0]?.fetched
    })
    // Of the 2,000 of the folder.
    expect(seen).toBeLessThan(10)
  }
})
