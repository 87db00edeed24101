import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { sweepBlobs } from './blobs/sweep-blobs.ts'
import { appendMessages } from './by-uid/append-messages.ts'
import { expunge, moveMessages } from './by-uid/place-messages.ts'
import { purgeTombstones } from './change-log/purge-tombstones.ts'
import { listFolders } from './list-folders.ts'
import { createFolder, deleteFolder } from './own-folders.ts'
import { listDeletedMessages, recoverMessages } from './recover-messages.ts'

let app: TestApp
let who: Awaited<ReturnType<typeof aMember>>
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
  who = await aMember(app)
  mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, mailbox, who.userId)
})
afterAll(() => app.close())

const folderId = async (name: string): Promise<string> => {
  const folders = await listFolders(app, who, mailbox.id)
  return folders.find((folder) => folder.role === name || folder.name === name)?._id ?? ''
}

/** Appends one message to the folder, marked deleted, and expunges it. */
const deletedFrom = async (name: string, subject: string): Promise<void> => {
  const at = { mailboxId: mailbox.id, folderId: await folderId(name) }
  const flags = {
    isRead: true,
    isStarred: true,
    isAnswered: false,
    isDraft: false,
    isDeleted: true,
  }
  const raw = Buffer.from(letterText({ subject }))
  const date = new Date('2021-02-03T04:05:06Z')
  const uids = await appendMessages(app, who, at, [
    { raw, flags: { ...flags, keywords: ['Kept'] }, date },
  ])
  await expunge(app, who, at, uids)
  app.clock.advance({ seconds: 1 })
}

const deleted = async () =>
  (await listDeletedMessages(app, who, mailbox.id, { limit: 50 })).items.map(
    ({ subject }) => subject,
  )

const stored = () =>
  app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select([
      'messages.subject',
      'folders.name',
      'isRead',
      'isStarred',
      'isDeleted',
      'keywords',
      'date',
      'blob',
    ])
    .where('messages.mailboxId', '=', mailbox.id)
    .orderBy('messages.subject')
    .execute()

const recover = async (...subjects: string[]) => {
  const { items } = await listDeletedMessages(app, who, mailbox.id, { limit: 50 })
  const ids = items.flatMap(({ _id, subject }) => (subjects.includes(subject) ? [_id] : []))
  return recoverMessages(app, who, mailbox.id, ids)
}

test('what was deleted comes back as it was: to its folder, or from Trash to the Inbox', async () => {
  const bills = await createFolder(app, who, mailbox.id, 'Bills')
  await createFolder(app, who, mailbox.id, 'Going')
  await deletedFrom('trash', 'From Trash')
  await deletedFrom('Bills', 'From Bills')
  await deletedFrom('Going', 'From a folder that goes')
  await deleteFolder(app, who, mailbox.id, await folderId('Going'))
  expect(await deleted()).toEqual(['From a folder that goes', 'From Bills', 'From Trash'])
  expect(await recover('From Trash', 'From Bills', 'From a folder that goes')).toEqual({
    recovered: 3,
  })
  const was = {
    isRead: true,
    isStarred: true,
    isDeleted: false,
    keywords: ['Kept'],
    date: new Date('2021-02-03T04:05:06Z'),
  }
  const rows = await stored()
  expect(rows).toMatchObject([
    { subject: 'From Bills', name: bills.name, ...was },
    { subject: 'From Trash', name: 'Inbox', ...was },
    { subject: 'From a folder that goes', name: 'Going', ...was },
  ])
  expect(await deleted()).toEqual([])
  for (const { blob } of rows) expect((await app.blobs.get(blob)).length).toBeGreaterThan(0)
})

test('mails of a deleted folder are listed with its name while they are in Trash and after, and go back into it', async () => {
  await createFolder(app, who, mailbox.id, 'Trips/Rome')
  const at = { mailboxId: mailbox.id, folderId: await folderId('Trips/Rome') }
  const flags = {
    ...{ isRead: false, isStarred: false, isAnswered: false, isDraft: false, isDeleted: false },
    keywords: [],
  }
  const date = app.clock.now()
  for (const subject of ['Hotel', 'Train']) {
    const raw = Buffer.from(letterText({ subject }))
    await appendMessages(app, who, at, [{ raw, flags, date }])
  }
  await deleteFolder(app, who, mailbox.id, await folderId('Trips'))
  const trash = { mailboxId: mailbox.id, folderId: await folderId('trash') }
  const train = await app.db
    .selectFrom('messages')
    .select('uid')
    .where('subject', '=', 'Train')
    .executeTakeFirstOrThrow()
  await app.db
    .updateTable('messages')
    .set({ isDeleted: true })
    .where('subject', '=', 'Train')
    .execute()
  app.clock.advance({ seconds: 1 })
  await expunge(app, who, trash, [train.uid])
  const { items } = await listDeletedMessages(app, who, mailbox.id, { limit: 50 })
  expect(items.map(({ subject, folder }) => [subject, folder])).toEqual([
    ['Train', 'Trips/Rome'],
    ['Hotel', 'Trips/Rome'],
  ])
  expect(await recover('Train', 'Hotel')).toEqual({ recovered: 2 })
  expect((await stored()).filter(({ name }) => name === 'Trips/Rome')).toMatchObject([
    { subject: 'Hotel', isRead: false },
    { subject: 'Train', isRead: false },
  ])
  expect(await deleted()).toEqual([])
  const folders = await listFolders(app, who, mailbox.id)
  expect(folders.find(({ name }) => name === 'Trips/Rome')).toMatchObject({
    messages: 2,
    unread: 2,
  })
})

test('what was taken out of Trash is not listed any more', async () => {
  await createFolder(app, who, mailbox.id, 'Short')
  const at = { mailboxId: mailbox.id, folderId: await folderId('Short') }
  const flags = {
    ...{ isRead: false, isStarred: false, isAnswered: false, isDraft: false, isDeleted: false },
    keywords: [],
  }
  const raw = Buffer.from(letterText({ subject: 'Moved' }))
  await appendMessages(app, who, at, [{ raw, flags, date: app.clock.now() }])
  await deleteFolder(app, who, mailbox.id, at.folderId)
  expect(await deleted()).toEqual(['Moved'])
  const { uid } = await app.db
    .selectFrom('messages')
    .select('uid')
    .where('subject', '=', 'Moved')
    .executeTakeFirstOrThrow()
  const trash = { mailboxId: mailbox.id, folderId: await folderId('trash') }
  await moveMessages(app, who, trash, [uid], await folderId('inbox'))
  expect(await deleted()).toEqual([])
})

test('nothing comes back twice, also when two ask at once, and its bytes outlive the log', async () => {
  await deletedFrom('inbox', 'Once')
  const both = await Promise.all([recover('Once'), recover('Once')])
  expect(both.map(({ recovered }) => recovered).toSorted()).toEqual([0, 1])
  app.clock.set(new Date(Date.now() + 40 * 86_400_000))
  await purgeTombstones(app)
  await sweepBlobs(app)
  const found = (await stored()).filter(({ subject }) => subject === 'Once')
  expect(found).toHaveLength(1)
  expect((await app.blobs.get(found[0]?.blob ?? '')).toString()).toContain('Once')
  expect(hashIn(found[0]?.blob ?? '')).toHaveLength(64)
})

test('the list goes on by its cursor, and ends after 30 days', async () => {
  for (const n of [1, 2, 3]) await deletedFrom('inbox', `Mail ${n}`)
  const first = await listDeletedMessages(app, who, mailbox.id, { limit: 2 })
  expect(first.items.map(({ subject }) => subject)).toEqual(['Mail 3', 'Mail 2'])
  const cursor = first.nextCursor ?? ''
  const second = await listDeletedMessages(app, who, mailbox.id, { limit: 2, cursor })
  expect(second).toMatchObject({ items: [{ subject: 'Mail 1' }], nextCursor: null })
  await expect(
    listDeletedMessages(app, who, mailbox.id, { limit: 2, cursor: 'x' }),
  ).rejects.toMatchObject({ type: 'VALIDATION' })
  app.clock.advance({ days: 31 })
  await purgeTombstones(app)
  expect(await deleted()).toEqual([])
})

test('nobody gets what was deleted in a mailbox of others', async () => {
  await deletedFrom('inbox', 'Private')
  const [{ _id } = { _id: '' }] = (await listDeletedMessages(app, who, mailbox.id, { limit: 1 }))
    .items
  const stranger = await aMember(app)
  await expect(listDeletedMessages(app, stranger, mailbox.id, { limit: 1 })).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  const other = await aMailbox(app, { domain: await anActiveDomain(app, stranger) })
  await letRead(app, other, stranger.userId)
  expect(await recoverMessages(app, stranger, other.id, [_id])).toEqual({
    recovered: 0,
  })
  expect(await deleted()).toContain('Private')
})
