import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BulkChange } from '#contract/mail/changes.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aLetter } from '#test-world/mail/letter.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { aMailReader, aMember, anActiveDomain } from '#test-world/members.ts'
import { changeMessage, deleteMessage } from './change-message.ts'
import { changeMessages, purgeChanges, undoChange } from './change-messages.ts'
import { listFolders } from './list-folders.ts'
import { createFolder, deleteFolder, renameFolder } from './own-folders.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ who, mailbox } = await aMailReader(app))
})

const come = async (...names: string[]): Promise<string[]> => {
  for (const name of names) {
    app.clock.advance({ seconds: 1 })
    await aLetter(app, mailbox, { subject: name, messageId: `${name}@x` })
  }
  const rows = await messages()
  return names.map((name) => rows.find(({ subject }) => subject === name)?.id ?? '')
}
const messages = () =>
  app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select([
      'messages.id',
      'messages.threadId',
      'messages.subject',
      'messages.isRead',
      'messages.isStarred',
      'messages.uid',
      'folders.role',
      'folders.name',
    ])
    .where('messages.mailboxId', '=', mailbox.id)
    .orderBy('messages.date')
    .orderBy('messages.subject')
    .execute()
const places = async () => (await messages()).map(({ subject, name }) => `${subject} in ${name}`)
const change = (asked: BulkChange, as = who) => changeMessages(app, as, mailbox.id, asked)
const undo = (id: string | null) => undoChange(app, who, mailbox.id, id ?? '')
const all = (folder: string, except: string[] = []) => ({
  folder,
  until: app.clock.now().toISOString(),
  except,
})

test('many messages are moved by one request and come back by another, as they were', async () => {
  const [a = '', b = '', c = ''] = await come('a', 'b', 'c')
  await changeMessage(app, who, mailbox.id, b, { isRead: true, isStarred: true })
  const { _id, count } = await change({
    messages: [c, a, b, newId()],
    folder: 'archive',
    isRead: true,
  })
  expect(count).toBe(3)
  expect(await places()).toEqual(['a in Archive', 'b in Archive', 'c in Archive'])
  // The order of arrival is that of the uids, whatever the order of the request.
  expect((await messages()).map(({ uid }) => uid)).toEqual([1, 2, 3])
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
  await changeMessage(app, who, mailbox.id, c, { folder: 'trash' })
  expect(await undo(_id)).toEqual({ count: 2 })
  expect(await places()).toEqual(['a in Inbox', 'b in Inbox', 'c in Trash'])
  expect((await messages()).map(({ isRead, isStarred }) => [isRead, isStarred])).toEqual([
    [false, false],
    [true, true],
    [true, false],
  ])
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
  await expect(undo(_id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('all that a search finds is changed in steps, each of which can be undone', async () => {
  await come('red 1', 'red 2', 'red 3', 'blue')
  const until = app.clock.now().toISOString()
  await come('red 4')
  const [except = ''] = (await messages())
    .filter(({ subject }) => subject === 'red 2')
    .map(({ threadId }) => threadId)
  const found = { q: 'red', until, except: [except] }
  const { _id, count, nextCursor } = await change({ found, folder: 'archive' })
  expect([count, nextCursor]).toEqual([2, null])
  expect(await places()).toEqual([
    ...[
      'red 1 in Archive',
      'red 2 in Inbox',
      'red 3 in Archive',
      'blue in Inbox',
      'red 4 in Inbox',
    ],
  ])
  await undo(_id)
  expect((await places()).every((place) => place.endsWith('in Inbox'))).toBe(true)
  // Parts of words, as the search itself.
  expect(
    (await change({ found: { ...found, q: 'subject:lue', except: [] }, isRead: true })).count,
  ).toBe(1)
})

test('a search that finds more than a request changes goes on after it', async () => {
  await come('many')
  await sql`
    insert into messages select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'uid', n + 10,
      'thread_id', gen_random_uuid()))).* from messages m, generate_series(1, 1005) n where m.mailbox_id = ${mailbox.id}`.execute(
    app.db,
  )
  await sql`
    insert into message_texts (message_id, workspace_id, mailbox_id, search, head, date)
    select id, workspace_id, mailbox_id, 'many:1A', 'many', date from messages
    where mailbox_id = ${mailbox.id} on conflict do nothing`.execute(app.db)
  const found = { q: 'many', until: app.clock.now().toISOString(), except: [] }
  const first = await change({ found, isRead: true })
  expect(first.count).toBe(1_000)
  const rest = await change({ found: { ...found, cursor: first.nextCursor ?? '' }, isRead: true })
  expect([rest.count, rest.nextCursor]).toEqual([6, null])
})

test('Junk is emptied for good only when that is asked for', async () => {
  const [a = '', b = ''] = await come('a', 'b')
  await change({ messages: [a, b], folder: 'junk' })
  await change({ messages: [a], delete: true })
  expect(await places()).toEqual(['a in Trash', 'b in Junk'])
  const { _id, count } = await change({ all: all('junk'), delete: 'for good' })
  expect([_id, count]).toEqual([null, 1])
  expect(await places()).toEqual(['a in Trash'])
})

test('a whole folder, but what came since and what was left out', async () => {
  const [a = ''] = await come('a', 'b', 'c')
  const thread = (await messages()).find(({ id }) => id === a)?.threadId ?? ''
  const asked = all('inbox', [thread])
  await come('late')
  const { _id, count } = await change({ all: asked, delete: true })
  expect(count).toBe(2)
  expect(await places()).toEqual(['a in Inbox', 'b in Trash', 'c in Trash', 'late in Inbox'])
  await undo(_id)
  expect(await places()).toEqual(['a in Inbox', 'b in Inbox', 'c in Inbox', 'late in Inbox'])
})

test('a conversation is changed where it stands, its other folders are not', async () => {
  await come('q')
  const headers = ['In-Reply-To: <q@x>']
  await aLetter(app, mailbox, { subject: 'Re: q', headers })
  const [first, second] = await messages()
  expect(first?.threadId).toBe(second?.threadId)
  await changeMessage(app, who, mailbox.id, first?.id ?? '', { folder: 'archive' })
  const threads = [first?.threadId ?? '']
  expect(
    await change({ conversations: { folder: 'inbox', threads }, isStarred: true }),
  ).toMatchObject({ count: 1 })
  expect((await messages()).map(({ isStarred }) => isStarred)).toEqual([false, true])
})

test('deleting in Trash is for good, gives the bytes back and has no undo', async () => {
  await come('a', 'b')
  await change({ all: all('inbox'), delete: true })
  expect(await change({ all: all('trash'), delete: true })).toMatchObject({ _id: null, count: 2 })
  expect(await messages()).toEqual([])
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})

test('nothing changes that is so already, or is no mail of this mailbox', async () => {
  const [a = ''] = await come('a')
  expect(await change({ messages: [a], isRead: false, folder: 'inbox' })).toMatchObject({
    _id: null,
    count: 0,
  })
  const stranger = await aMember(app)
  const other = await aMailbox(app, { domain: await anActiveDomain(app, stranger) })
  await letRead(app, other, stranger.userId)
  expect(
    await changeMessages(app, stranger, other.id, { messages: [a], delete: true }),
  ).toMatchObject({ _id: null, count: 0 })
  await expect(change({ messages: [a], delete: true }, stranger)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  for (const folder of [newId(), 'x'])
    await expect(change({ messages: [a], folder })).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const { _id } = await change({ messages: [a], delete: true })
  await expect(undoChange(app, stranger, other.id, _id ?? '')).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  app.clock.advance({ minutes: 61 })
  await expect(undo(_id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('what is junk is learnt, and unlearnt by undo', async () => {
  await come('cheap pills')
  const learnt = () =>
    app.db
      .selectFrom('junkModels')
      .select(['junkCount', 'goodCount'])
      .where('mailboxId', '=', mailbox.id)
      .executeTakeFirst()
  const { _id } = await change({ all: all('inbox'), folder: 'junk' })
  expect(await learnt()).toEqual({ junkCount: 1, goodCount: 0 })
  await undo(_id)
  expect(await learnt()).toEqual({ junkCount: 0, goodCount: 1 })
})

test('changes of many, of one, arrivals and undos at the same time leave every count exact', async () => {
  const ids = await come(...Array.from({ length: 12 }, (_, n) => `m${n}`))
  const [own] = await Promise.all([createFolder(app, who, mailbox.id, 'Own')])
  const folders = ['inbox', 'archive', 'trash', 'junk', own._id]
  const jobs = Array.from({ length: 60 }, (_, n) => async () => {
    const id = ids[n % ids.length] ?? ''
    const folder = folders[n % folders.length] ?? ''
    if (n % 6 === 0)
      return change({ all: all(folder), folder: folders[(n + 1) % 5], isRead: n % 4 === 0 })
    if (n % 6 === 1) return change({ messages: ids.slice(n % 8), isStarred: n % 4 < 2, folder })
    if (n % 6 === 2)
      return undo((await change({ messages: ids.slice(0, 6), isRead: n % 4 < 2, folder }))._id)
    if (n % 6 === 3)
      return aLetter(app, mailbox, { subject: 'new', headers: [`In-Reply-To: <m${n % 12}@x>`] })
    if (n === 58) return deleteMessage(app, who, mailbox.id, id)
    return changeMessage(app, who, mailbox.id, id, { folder, isRead: n % 3 === 0 })
  })
  // As many at once as the pool has connections, or the last ones wait longer than it lets them.
  const waiting = jobs.values()
  const lane = async () => {
    for (const job of waiting)
      await job().catch((error: { type?: string }) => {
        // Deleted for good meanwhile.
        if (error.type !== 'NOT_EXISTS') throw error
      })
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
  await deleteFolder(app, who, mailbox.id, own._id)
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
  expect((await messages()).length).toBeGreaterThan(18)
})

test('folders of one’s own: made, renamed, filled and deleted, their mail in Trash', async () => {
  const [a = ''] = await come('a')
  const { _id } = await createFolder(app, who, mailbox.id, 'Bills')
  await change({ messages: [a], folder: _id })
  expect(await renameFolder(app, who, mailbox.id, _id, 'BILLS')).toMatchObject({
    name: 'BILLS',
    messages: 1,
    unread: 1,
  })
  const refusal = { type: 'VALIDATION', data: { name: 'There is already a folder with this name' } }
  for (const name of ['bills', 'Inbox', 'trash'])
    await expect(createFolder(app, who, mailbox.id, name)).rejects.toMatchObject(refusal)
  await expect(renameFolder(app, who, mailbox.id, _id, 'inbox')).rejects.toMatchObject(refusal)
  const inbox =
    (await listFolders(app, who, mailbox.id)).find(({ role }) => role === 'inbox')?._id ?? ''
  for (const wrong of [inbox, 'inbox', newId()]) {
    await expect(renameFolder(app, who, mailbox.id, wrong, 'x')).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
    await expect(deleteFolder(app, who, mailbox.id, wrong)).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
  }
  await deleteFolder(app, who, mailbox.id, _id)
  expect(await places()).toEqual(['a in Trash'])
  expect((await listFolders(app, who, mailbox.id)).map(({ name }) => name)).toHaveLength(6)
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})

test('what is kept to be taken back is bounded, and goes when it is too late', async () => {
  const [a = ''] = await come('a')
  const { id: mailboxId, workspaceId } = mailbox
  const aLargeChange = async () => {
    app.clock.advance({ seconds: 1 })
    const id = newId()
    await sql`insert into bulk_changes (id, workspace_id, mailbox_id, at, changed)
      select ${id}, ${workspaceId}, ${mailboxId}, ${app.clock.now()}, jsonb_build_object(
        'to', null, 'before', '[]'::jsonb, 'more', string_agg(md5(n::text), ''))
      from generate_series(1, 200000) n`.execute(app.db)
    return id
  }
  const first = await aLargeChange()
  const second = await aLargeChange()
  const third = await change({ messages: [a], isRead: true })
  await expect(undo(first)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  for (const id of [second, third._id]) await undo(id)

  await change({ messages: [a], isStarred: true })
  const kept = () =>
    app.db.selectFrom('bulkChanges').select('id').where('mailboxId', '=', mailboxId)
  await purgeChanges(app)
  expect(await kept().execute()).toHaveLength(1)
  app.clock.advance({ seconds: 3601 })
  await purgeChanges(app)
  expect(await kept().execute()).toEqual([])
})

test('two who make the same folder at once make one, and 200 are enough', async () => {
  const made = await Promise.allSettled(
    [1, 2, 3].map(() => createFolder(app, who, mailbox.id, 'Twin')),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const more = Array.from({ length: 199 }, (_, n) => ({
    id: newId(),
    workspaceId: mailbox.workspaceId,
    mailboxId: mailbox.id,
    role: null,
    name: `f${n}`,
  }))
  await app.db.insertInto('folders').values(more).execute()
  await expect(createFolder(app, who, mailbox.id, 'one more')).rejects.toMatchObject({
    data: { name: 'A mailbox has at most 200 folders of its own' },
  })
})

test('folders inside folders are made, moved and deleted with them', async () => {
  const make = (name: string) => createFolder(app, who, mailbox.id, name)
  const names = async () =>
    (await listFolders(app, who, mailbox.id))
      .filter(({ role }) => role === null)
      .map(({ name }) => name)
  const inner = await make('Clients/Ada/2026')
  await make('Clients-old')
  expect(await names()).toEqual(['Clients', 'Clients/Ada', 'Clients/Ada/2026', 'Clients-old'])
  const [a = ''] = await come('a')
  await change({ messages: [a], folder: inner._id })
  const [clients] = (await listFolders(app, who, mailbox.id)).filter(
    ({ name }) => name === 'Clients',
  )
  const rename = (name: string) => renameFolder(app, who, mailbox.id, clients?._id ?? '', name)
  await rename('Work/Clients')
  expect(await names()).toEqual([
    'Clients-old',
    'Work',
    'Work/Clients',
    'Work/Clients/Ada',
    'Work/Clients/Ada/2026',
  ])
  expect(await places()).toEqual(['a in Work/Clients/Ada/2026'])
  for (const [name, message] of [
    ['work', 'There is already a folder with this name'],
    ['Inbox/Clients', 'Only a folder of your own can have folders inside'],
    ['a/b/c/d', 'Folders are at most 5 deep'],
  ] as const)
    await expect(rename(name), name).rejects.toMatchObject({
      data: { name: message },
    })
  // Into itself: what it was called is made anew.
  await rename('Work/Clients/All')
  expect(await names()).toEqual([
    ...['Clients-old', 'Work', 'Work/Clients', 'Work/Clients/All', 'Work/Clients/All/Ada'],
    'Work/Clients/All/Ada/2026',
  ])
  const [work] = (await listFolders(app, who, mailbox.id)).filter(({ name }) => name === 'Work')
  await deleteFolder(app, who, mailbox.id, work?._id ?? '')
  expect(await names()).toEqual(['Clients-old'])
  expect(await places()).toEqual(['a in Trash'])
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})
