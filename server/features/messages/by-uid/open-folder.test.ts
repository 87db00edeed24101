import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailProgram, type MailProgram, noFlags } from '#test-world/mail/mail-program.ts'
import { KEEP_DAYS, purgeTombstones } from '../change-log/purge-tombstones.ts'
import { changeMessage, deleteMessage } from '../change-message.ts'
import { changeFlags } from './change-flags.ts'
import { readFolderStates, readFolderUse, subscribe } from './folder-states.ts'
import type { FolderAt } from './in-folder.ts'
import { changesInFolder, highestModseq, openFolder } from './open-folder.ts'
import { expunge, moveMessages } from './place-messages.ts'

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

const open = (since?: number) => openFolder(app, program.who, inbox.mailboxId, inbox, since)
const changes = async (since: number, at = inbox) => {
  const answer = await changesInFolder(app, program.who, at.mailboxId, at.folderId, since)
  if (answer.isForgotten) throw new Error('forgotten')
  return answer
}
const mark = (uids: number[], flags: object) =>
  changeFlags(app, program.who, inbox, uids, {
    ...{ how: 'add', flags: { ...noFlags, ...flags }, unchangedSince: null },
  })
const idOf = async (subject: string) =>
  (await program.rows('inbox')).find((row) => row.subject === subject)?.id ?? ''

test('a folder is told as it is at one moment: uids with gaps, the first unread one, keywords', async () => {
  await program.come('1', '2', '3', '4')
  await mark([1, 2], { isRead: true, keywords: ['$Work'] })
  await mark([2], { isDeleted: true })
  await expunge(app, program.who, inbox, [2])
  const { uids, state, firstUnread, keywords, modseq, changed } = await open()
  expect([...uids]).toEqual([1, 3, 4])
  expect(state).toMatchObject({ uidNext: 5, messageCount: 3, unreadCount: 2, role: 'inbox' })
  expect(state.uidValidity).toBeGreaterThan(0)
  expect(state.highestModseq).toBe(modseq)
  expect({ firstUnread, keywords, changed }).toEqual({
    ...{ firstUnread: 3, keywords: ['$Work'], changed: [] },
  })
  await mark([3, 4], { isRead: true })
  expect((await open()).firstUnread).toBe(0)
})

test('what came, changed, moved in and left since a modseq is told, and nothing else', async () => {
  await program.come('1', '2', '3')
  const { modseq } = await open()
  expect(await changes(modseq)).toMatchObject({ changed: [], gone: [], modseq })
  await program.come('4')
  await mark([1], { isStarred: true })
  await changeMessage(app, program.who, inbox.mailboxId, await idOf('2'), { folder: 'archive' })
  const told = await changes(modseq)
  expect(told.changed.map(({ uid, isStarred }) => [uid, isStarred])).toEqual([
    [1, true],
    [4, false],
  ])
  expect(told.gone).toEqual([2])
  expect(await changes(told.modseq)).toMatchObject({ changed: [], gone: [] })
  // Another session moves it back: it comes with a new uid.
  const archive = await program.at('archive')
  await moveMessages(app, program.who, archive, [1], inbox.folderId)
  const back = await changes(told.modseq)
  expect(back.changed.map(({ uid }) => uid)).toEqual([5])
  expect((await changes(told.modseq, archive)).gone).toEqual([1])
  expect(back.modseq).toBeGreaterThan(told.modseq)
})

test('a uid is never given again, also when the folder was emptied', async () => {
  await program.come('1', '2')
  await mark([1, 2], { isDeleted: true })
  await expunge(app, program.who, inbox, [1, 2])
  await program.come('3')
  expect([...(await open()).uids]).toEqual([3])
})

test('what is forgotten in a folder where nothing happened is not missed', async () => {
  await program.come('1', '2')
  const { modseq } = await open()
  const { modseq: quiet } = await changes(modseq)
  for (const _ of ['to Trash', 'for good'])
    await deleteMessage(app, program.who, inbox.mailboxId, await theOther())
  const archive = await program.at('archive')
  app.clock.advance({ days: KEEP_DAYS + 1 })
  await purgeTombstones(app)
  expect(await changesInFolder(app, program.who, inbox.mailboxId, inbox.folderId, quiet)).toEqual({
    isForgotten: true,
  })
  expect(await changes(quiet, archive)).toMatchObject({ changed: [], gone: [] })
})

const theOther = async () => {
  const rows = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', inbox.mailboxId)
    .where('subject', '=', '2')
    .execute()
  return rows[0]?.id ?? ''
}

test('a modseq that was never given, as after a restore, makes all messages changed ones', async () => {
  await program.come('1', '2')
  const { modseq } = await open()
  const { folderId, mailboxId } = inbox
  expect(await changesInFolder(app, program.who, mailboxId, folderId, modseq + 5)).toEqual({
    isForgotten: true,
  })
  expect((await open(modseq + 5)).changed.map(({ uid }) => uid)).toEqual([1, 2])
  expect((await open(modseq)).changed).toEqual([])
})

test('folders tell what they hold, and whether they are subscribed', async () => {
  await program.come('1', '2')
  await mark([1], { isDeleted: true })
  const { who, mailbox } = program
  await subscribe(app, who, mailbox.id, inbox.folderId, false)
  const states = await readFolderStates(app, who, mailbox.id)
  expect(states.map(({ role }) => role)).toContain('junk')
  expect(states.find(({ role }) => role === 'inbox')).toMatchObject({
    ...{ messageCount: 2, unreadCount: 2, uidNext: 3, isSubscribed: false },
  })
  const use = (await readFolderUse(app, who, mailbox.id)).get(inbox.folderId)
  const { sum } = await app.db
    .selectFrom('messages')
    .select(({ fn }) => fn.sum<number>('sizeBytes').as('sum'))
    .where('mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  expect(use).toMatchObject({ deleted: 1, bytes: Number(sum) })
})

test('the last change among messages', async () => {
  await program.come('1', '2')
  await mark([1], { isRead: true })
  const [first] = await program.rows('inbox')
  expect(await highestModseq(app, program.who, inbox, [1, 2])).toBe(first?.modseq)
  expect(await highestModseq(app, program.who, inbox, [7])).toBe(0)
})

test('nothing is told of folders and mailboxes of others', async () => {
  await program.come('1')
  const other = await aMailProgram(app)
  const theirs = await other.at('inbox')
  const none = { type: 'NOT_EXISTS' }
  const { mailboxId, folderId } = inbox
  for (const at of [
    inbox,
    { mailboxId: other.mailbox.id, folderId },
    { ...theirs, folderId: 'x' },
  ]) {
    const [box, folder] = [at.mailboxId, at.folderId]
    await expect(openFolder(app, other.who, box, { folderId: folder })).rejects.toMatchObject(none)
    await expect(changesInFolder(app, other.who, box, folder, 0)).rejects.toMatchObject(none)
    await expect(highestModseq(app, other.who, at, [1])).rejects.toMatchObject(none)
    await expect(subscribe(app, other.who, box, folder, false)).rejects.toMatchObject(none)
  }
  const { who } = program
  for (const name of ['a\0b', 'Inbox', 'nowhere'])
    await expect(openFolder(app, who, mailboxId, { name })).rejects.toMatchObject(none)
  await expect(readFolderStates(app, other.who, mailboxId)).rejects.toMatchObject(none)
  await expect(readFolderUse(app, other.who, mailboxId)).rejects.toMatchObject(none)
})
