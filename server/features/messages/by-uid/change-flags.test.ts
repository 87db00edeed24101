import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { aMailProgram, type MailProgram, noFlags } from '#test-world/mail/mail-program.ts'
import { type ChangedFlags, changeFlags } from './change-flags.ts'
import type { FolderAt } from './in-folder.ts'
import type { MessageFlags } from './message-flags.ts'
import { openFolder } from './open-folder.ts'

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

const store = (
  uids: number[],
  how: 'set' | 'add' | 'remove',
  flags: Partial<MessageFlags>,
  unchangedSince: number | null = null,
): Promise<ChangedFlags> =>
  changeFlags(app, program.who, inbox, uids, {
    ...{ how, flags: { ...noFlags, ...flags }, unchangedSince },
  })
const rows = () => program.rows('inbox')
const modseq = async () => (await openFolder(app, program.who, inbox.mailboxId, inbox)).modseq

test('flags are added, removed and set, and the counters go with them', async () => {
  await program.come('1', '2', '3')
  const added = await store([1, 3, 9], 'add', { isRead: true, isStarred: true, keywords: ['A'] })
  expect(added.messages.map(({ uid }) => uid)).toEqual([1, 3])
  expect(new Set(added.changed.map((row) => row.modseq)).size).toBe(1)
  await store([1], 'remove', { isRead: true, isAnswered: true, keywords: ['B'] })
  await store([3], 'set', { isDraft: true, keywords: ['B', 'a'] })
  expect(await rows()).toMatchObject([
    { isRead: false, isStarred: true, keywords: ['A'] },
    { isRead: false, isStarred: false, keywords: [] },
    { isRead: false, isStarred: false, isDraft: true, keywords: ['A', 'B'] },
  ])
  const { state } = await openFolder(app, program.who, inbox.mailboxId, inbox)
  expect(state.unreadCount).toBe(3)
  expect(await wrongCounts(app.db, inbox.mailboxId)).toEqual([])
})

test('what is so already takes no modseq and tells no page', async () => {
  await program.come('1')
  await store([1], 'add', { isRead: true, keywords: ['A'] })
  const before = await modseq()
  for (const again of [
    await store([1], 'add', { isRead: true, keywords: ['a'] }),
    await store([1], 'remove', { isStarred: true, keywords: ['B'] }),
    await store([1], 'set', { isRead: true, keywords: ['A'] }),
    await store([5], 'add', { isStarred: true }),
    await store([], 'add', { isStarred: true }),
  ])
    expect(again.changed).toEqual([])
  expect(await modseq()).toBe(before)
  await store([1], 'add', { isStarred: true })
  expect(await modseq()).toBe(before + 1)
})

test('a message that changed after the modseq of the caller is left as it is', async () => {
  await program.come('1', '2')
  const known = await modseq()
  await store([2], 'add', { isStarred: true })
  const { changed, modified, messages } = await store([1, 2], 'add', { isRead: true }, known)
  expect(changed.map(({ uid }) => uid)).toEqual([1])
  expect(messages.map(({ uid }) => uid)).toEqual([1])
  expect(modified).toEqual([2])
  expect((await rows()).map(({ isRead }) => isRead)).toEqual([true, false])
})

test('of many that ask from the same modseq one wins each message', async () => {
  await program.come('1', '2', '3')
  const known = await modseq()
  const racers = Array.from({ length: 8 }, (_, n) =>
    store([1, 2, 3], 'set', { keywords: [`Racer${n}`] }, known),
  )
  const answers = await Promise.all(racers)
  const winners = answers.filter(({ changed }) => changed.length > 0)
  expect(winners.map(({ changed }) => changed.length)).toEqual([3])
  expect(answers.filter(({ modified }) => modified.length === 3)).toHaveLength(7)
})

test('of changes at once none is lost, and each has a modseq of its own', async () => {
  await program.come('1')
  const changes = Array.from({ length: 8 }, (_, n) => store([1], 'add', { keywords: [`K${n}`] }))
  const modseqs = (await Promise.all(changes)).map(({ changed }) => changed[0]?.modseq)
  expect(new Set(modseqs).size).toBe(8)
  const [row] = await rows()
  expect(row?.keywords).toHaveLength(8)
  expect(row?.modseq).toBe(Math.max(...modseqs.map((each) => each ?? 0)))
})

test('keywords are bounded: their length, those of a message and those of a mailbox', async () => {
  await program.come('1', '2', '3', '4', '5', '6')
  const many = (prefix: string, count = 100) =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`)
  const refused = { type: 'VALIDATION' }
  await expect(store([1], 'add', { keywords: ['x'.repeat(101)] })).rejects.toMatchObject(refused)
  await expect(store([1], 'add', { keywords: many('a', 101) })).rejects.toMatchObject(refused)
  for (const [n, letter] of ['a', 'b', 'c', 'd', 'e'].entries())
    await store([n + 1], 'add', { keywords: many(letter) })
  await expect(store([1], 'add', { keywords: ['one-more'] })).rejects.toMatchObject(refused)
  await expect(store([6], 'add', { keywords: ['one-more'] })).rejects.toMatchObject(refused)
  // Known ones fit, in the spelling in which they came first.
  await store([6], 'add', { keywords: ['A1'] })
  expect((await rows())[5]?.keywords).toEqual(['a1'])
})

test('nobody changes flags in a mailbox that was not given to them, or in another folder', async () => {
  await program.come('1')
  const other = await aMailProgram(app)
  const change = { how: 'add', flags: { ...noFlags, isRead: true }, unchangedSince: null } as const
  await expect(changeFlags(app, other.who, inbox, [1], change)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  const at = { mailboxId: other.mailbox.id, folderId: inbox.folderId }
  await expect(changeFlags(app, other.who, at, [1], change)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  expect((await rows())[0]?.isRead).toBe(false)
})
