import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { aMailProgram, type MailProgram, noFlags } from '#test-world/mail/mail-program.ts'
import { searchMessages } from '../search/search-messages.ts'
import { changeFlags } from './change-flags.ts'
import type { FolderAt } from './in-folder.ts'
import { copyMessages, expunge, moveMessages } from './place-messages.ts'

let app: TestApp
let program: MailProgram
let inbox: FolderAt
let archive: FolderAt
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  program = await aMailProgram(app)
  inbox = await program.at('inbox')
  archive = await program.at('archive')
})

const mark = (uids: number[], flags: object, at = inbox) =>
  changeFlags(app, program.who, at, uids, {
    ...{ how: 'add', flags: { ...noFlags, ...flags }, unchangedSince: null },
  })
const copy = (uids: number[], to = archive) =>
  copyMessages(app, program.who, inbox, uids, to.folderId)
const move = (uids: number[], to = archive) =>
  moveMessages(app, program.who, inbox, uids, to.folderId)
const isWhole = async () => expect(await wrongCounts(app.db, inbox.mailboxId)).toEqual([])
const usedBytes = async () =>
  (
    await app.db
      .selectFrom('mailboxes')
      .select('usedBytes')
      .where('id', '=', inbox.mailboxId)
      .executeTakeFirstOrThrow()
  ).usedBytes

const ownColumns = ['id', 'folder_id', 'uid', 'modseq', 'saved_at', 'learnt_as']

/** The rows of these tables for messages of a folder, without what is a message's own. */
const contents = async ({ folderId }: FolderAt) => {
  const { rows } = await sql<{ row: object }>`
    select jsonb_build_object('message', to_jsonb(m) - ${ownColumns}::text[],
      'text', to_jsonb(t) - 'message_id', 'structure', to_jsonb(s) - 'message_id',
      'partial', to_jsonb(p) - 'message_id') as row
    from messages m left join message_texts t on t.message_id = m.id
    left join message_structures s on s.message_id = m.id left join messages_read_in_part p on p.message_id = m.id
    where m.folder_id = ${folderId} order by m.uid`.execute(app.db)
  return rows.map(({ row }) => row)
}

test('a copy is the same in all columns and tables, in its conversation, and found by a search', async () => {
  await program.come('Heliograph', 'Other')
  await mark([1], { isRead: true, isStarred: true, isAnswered: true, keywords: ['$Work'] })
  const [first] = await program.rows('inbox')
  await app.db
    .insertInto('messagesReadInPart')
    .values({
      ...{ messageId: first?.id ?? '', mailboxId: inbox.mailboxId, dueAt: app.clock.now() },
      workspaceId: program.who.workspaceId,
    })
    .execute()
  const before = await usedBytes()
  expect(await copy([1, 2, 99])).toEqual([
    { from: 1, to: 1 },
    { from: 2, to: 2 },
  ])
  expect(await contents(archive)).toEqual(await contents(inbox))
  expect(await usedBytes()).toBe(before * 2)
  const found = await searchMessages(app, program.who, inbox.mailboxId, {
    ...{ q: 'heliograph', folder: 'archive', limit: 10 },
  })
  expect(found.items).toHaveLength(1)
  await isWhole()
})

test('a copy into the same folder is another message', async () => {
  await program.come('1')
  expect(await copy([1], inbox)).toEqual([{ from: 1, to: 2 }])
  const [one, other] = await program.rows('inbox')
  expect(other).toMatchObject({ threadId: one?.threadId, blob: one?.blob })
  expect(other?.id).not.toBe(one?.id)
  expect(other?.modseq).toBeGreaterThan(one?.modseq ?? 0)
  await isWhole()
})

test('the copy of a draft is a draft of its own', async () => {
  await program.append('drafts', { subject: 'Draft' }, { flags: { ...noFlags, isDraft: true } })
  const drafts = await program.at('drafts')
  await copyMessages(app, program.who, drafts, [1], archive.folderId)
  const [draft] = await program.rows('archive')
  expect(draft).toMatchObject({ isDraft: true, threadId: draft?.id })
  await isWhole()
})

test('nothing is copied where there is no room for all', async () => {
  await program.come('1', '2')
  const used = await usedBytes()
  await app.db
    .updateTable('workspaces')
    .set({ storageQuotaBytes: used + Math.floor(used / 2) + 10 })
    .where('id', '=', program.who.workspaceId)
    .execute()
  await expect(copy([1, 2])).rejects.toMatchObject({ type: 'STORAGE_FULL' })
  expect(await program.rows('archive')).toEqual([])
  expect(await copy([1])).toHaveLength(1)
  await isWhole()
})

test('a move keeps the messages, in the order of their uids, and leaves their places', async () => {
  await program.come('New')
  await program.append('inbox', { subject: 'Old' }, { date: new Date('2001-01-01') })
  const ids = (await program.rows('inbox')).map(({ id }) => id)
  await mark([2], { isDeleted: true, keywords: ['$Work'] })
  expect(await move([1, 2, 7])).toEqual([
    { from: 1, to: 1 },
    { from: 2, to: 2 },
  ])
  expect(await program.rows('inbox')).toEqual([])
  const moved = await program.rows('archive')
  expect(moved.map(({ id }) => id)).toEqual(ids)
  expect(moved[1]).toMatchObject({ isDeleted: true, keywords: ['$Work'] })
  const left = await app.db
    .selectFrom('tombstones')
    .select(['uid', 'folderId', 'blob'])
    .where('mailboxId', '=', inbox.mailboxId)
    .orderBy('uid')
    .execute()
  const place = { folderId: inbox.folderId, blob: null }
  expect(left).toEqual([
    { uid: 1, ...place },
    { uid: 2, ...place },
  ])
  await isWhole()
})

test('a move to where the messages are, or of none, changes nothing', async () => {
  await program.come('1')
  const before = await program.rows('inbox')
  expect(await move([1], inbox)).toEqual([])
  expect(await move([5])).toEqual([])
  expect(await move([])).toEqual([])
  expect(await copy([])).toEqual([])
  expect(await program.rows('inbox')).toEqual(before)
})

test('the junk filter learns from moves into Junk and out of it, as on the page', async () => {
  await program.come('Buy', 'Win')
  const junk = await program.at('junk')
  const learnt = async () =>
    (
      await app.db
        .selectFrom('messages')
        .select('learntAs')
        .where('mailboxId', '=', inbox.mailboxId)
        .orderBy('subject')
        .execute()
    ).map(({ learntAs }) => learntAs)
  await move([1, 2], junk)
  expect(await learnt()).toEqual(['junk', 'junk'])
  await moveMessages(app, program.who, junk, [1], inbox.folderId)
  expect(await learnt()).toEqual(['good', 'junk'])
})

test('only what is marked deleted ends, and only of the given ones; it can be recovered', async () => {
  await program.come('1', '2', '3')
  await mark([1, 3], { isDeleted: true })
  const before = await usedBytes()
  expect(await expunge(app, program.who, inbox, [2, 3])).toEqual([3])
  expect(await usedBytes()).toBeLessThan(before)
  expect(await expunge(app, program.who, inbox, [1, 2, 3])).toEqual([1])
  expect(await expunge(app, program.who, inbox, [1, 2, 3])).toEqual([])
  expect((await program.rows('inbox')).map(({ uid }) => uid)).toEqual([2])
  const kept = await app.db
    .selectFrom('tombstones')
    .select('blob')
    .where('mailboxId', '=', inbox.mailboxId)
    .execute()
  expect(kept.map(({ blob }) => blob !== null)).toEqual([true, true])
  await isWhole()
})

test('of sessions that move the same messages at once each message goes with one', async () => {
  await program.come('1', '2', '3', '4')
  const [trash, junk] = [await program.at('trash'), await program.at('junk')]
  const answers = await Promise.all([
    ...[archive, trash, junk].map((to) => move([1, 2, 3, 4], to)),
    ...[archive, trash].map((to) => copy([1, 2, 3, 4], to)),
    mark([1, 2], { isDeleted: true }),
    expunge(app, program.who, inbox, [1, 2, 3, 4]),
  ])
  const moved = answers.slice(0, 3).map((pairs) => (pairs as unknown[]).length)
  expect(moved.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4)
  expect(await program.rows('inbox')).toEqual([])
  await isWhole()
})

test('nothing goes to folders of others, or comes from there', async () => {
  await program.come('1')
  await mark([1], { isDeleted: true })
  const other = await aMailProgram(app)
  const theirs = await other.at('inbox')
  const none = { type: 'NOT_EXISTS' }
  for (const verb of [copyMessages, moveMessages]) {
    await expect(verb(app, program.who, inbox, [1], theirs.folderId)).rejects.toMatchObject(none)
    await expect(verb(app, program.who, inbox, [1], 'archive')).rejects.toMatchObject(none)
    await expect(verb(app, other.who, inbox, [1], theirs.folderId)).rejects.toMatchObject(none)
    const mixed = { mailboxId: theirs.mailboxId, folderId: inbox.folderId }
    await expect(verb(app, other.who, mixed, [1], theirs.folderId)).rejects.toMatchObject(none)
  }
  await expect(expunge(app, other.who, inbox, [1])).rejects.toMatchObject(none)
  expect(await program.rows('inbox')).toHaveLength(1)
  expect(await other.rows('inbox')).toEqual([])
})
