import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { aMailProgram, type MailProgram, noFlags } from '#test-world/mail/mail-program.ts'
import { appendMessages } from './append-messages.ts'
import { changeFlags } from './change-flags.ts'
import type { FolderAt } from './in-folder.ts'
import { readByUid } from './read-by-uid.ts'

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

const raw = (subject: string, headers: string[] = [], messageId?: string) =>
  Buffer.from(letterText({ subject, headers, ...(messageId ? { messageId } : {}) }))
const one = (bytes: Buffer) => ({ raw: bytes, flags: noFlags, date: null })
const isWhole = async () => expect(await wrongCounts(app.db, inbox.mailboxId)).toEqual([])

test('messages come with their flags, keywords, date and bytes, and join conversations', async () => {
  await program.come({ subject: 'Plan', messageId: 'plan@example.net' })
  const date = new Date('2020-02-03T04:05:06Z')
  const flags = { ...noFlags, isRead: true, isDeleted: true, keywords: ['$Work'] }
  const answer = raw('Re: Plan', ['In-Reply-To: <plan@example.net>'])
  const uids = await appendMessages(app, program.who, inbox, [
    { raw: answer, flags, date },
    one(raw('Second')),
  ])
  expect(uids).toEqual([2, 3])
  const [plan, reply, second] = await program.rows('inbox')
  expect(reply).toMatchObject({ ...flags, threadId: plan?.threadId })
  expect(second).toMatchObject({ ...noFlags, subject: 'Second' })
  expect((await app.blobs.get(reply?.blob ?? '')).equals(answer)).toBe(true)
  for await (const [first] of readByUid(app, program.who, inbox, [2], {
    ...{ columns: ['date', 'savedAt', 'structure'], changedSince: null },
  })) {
    expect(first?.date).toEqual(date)
    expect(first?.savedAt).toEqual(app.clock.now())
    expect(first?.structure?.envelope.subject).toBe('Re: Plan')
  }
  await isWhole()
})

test('all or none: without room for all of them none is filed', async () => {
  await app.db
    .updateTable('workspaces')
    .set({ storageQuotaBytes: raw('One').length + 100 })
    .where('id', '=', program.who.workspaceId)
    .execute()
  await expect(
    appendMessages(app, program.who, inbox, [one(raw('One')), one(raw('Two'))]),
  ).rejects.toMatchObject({ type: 'STORAGE_FULL' })
  expect(await program.rows('inbox')).toEqual([])
  expect(await appendMessages(app, program.who, inbox, [one(raw('One'))])).toEqual([1])
})

test('all or none: what is refused of one message is refused of all', async () => {
  const keywords = Array.from({ length: 101 }, (_, n) => `k${n}`)
  const refused = { ...one(raw('Two')), flags: { ...noFlags, keywords } }
  await expect(
    appendMessages(app, program.who, inbox, [one(raw('One')), refused]),
  ).rejects.toMatchObject({ type: 'VALIDATION' })
  expect(await program.rows('inbox')).toEqual([])
  await isWhole()
})

test('a mail that nests too deep is kept as mail that was written here is', async () => {
  let deep = 'Content-Type: text/plain\r\n\r\nend\r\n'
  for (let n = 0; n < 150; n++)
    deep = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${deep}\r\n--b${n}--\r\n`
  const uid = await program.append('inbox', Buffer.from(deep))
  expect(uid).toBe(1)
  await isWhole()
})

const bccOf = async (uid: number) =>
  (
    await app.db
      .selectFrom('messages')
      .select('bcc')
      .where('mailboxId', '=', inbox.mailboxId)
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
  ).bcc

test('the copy of a letter that stands in Sent already is kept once, with the flags of both', async () => {
  const kept = await program.append('sent', raw('Hello', [], 'hello@example.com'))
  const sent = await program.at('sent')
  await changeFlags(app, program.who, sent, [kept], {
    ...{ how: 'add', flags: { ...noFlags, isStarred: true }, unchangedSince: null },
  })
  const before = await program.rows('sent')
  const again = raw('Hello', ['Bcc: Zoe <zoe@example.org>'], 'hello@example.com')
  const flags = { ...noFlags, isRead: true, keywords: ['$Work'] }
  expect(await program.append('sent', again, { flags })).toBe(kept)
  const after = await program.rows('sent')
  expect(after).toMatchObject([{ isRead: true, isStarred: true, keywords: ['$Work'] }])
  expect(after[0]?.blob).toBe(before[0]?.blob)
  expect(after[0]?.modseq).toBeGreaterThan(before[0]?.modseq ?? 0)
  expect(await bccOf(kept)).toEqual([{ name: 'Zoe', address: 'zoe@example.org' }])
  // The same once more changes nothing.
  expect(await program.append('sent', again, { flags })).toBe(kept)
  expect(await program.rows('sent')).toEqual(after)
  await isWhole()
})

test('another letter, another folder or another day is another message', async () => {
  const letter = raw('Hello', [], 'hello@example.com')
  await program.append('sent', letter)
  await program.append('archive', letter)
  expect(await program.append('archive', letter)).toBe(2)
  expect(await program.append('sent', raw('Other', [], 'hello@example.com'))).toBe(2)
  app.clock.advance({ days: 2 })
  expect(await program.append('sent', letter)).toBe(3)
  const other = await aMailProgram(app)
  expect(await other.append('sent', letter)).toBe(1)
  await isWhole()
})

test('two programs that add the same copy at once get the same message', async () => {
  const letter = raw('Hello', [], 'hello@example.com')
  const uids = await Promise.all([1, 2, 3, 4].map(() => program.append('sent', letter)))
  expect(uids).toEqual([1, 1, 1, 1])
})

test('nothing is appended to mailboxes of others', async () => {
  const other = await aMailProgram(app)
  for (const at of [inbox, { mailboxId: other.mailbox.id, folderId: inbox.folderId }])
    await expect(appendMessages(app, other.who, at, [one(raw('One'))])).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
  expect(await program.rows('inbox')).toEqual([])
})
