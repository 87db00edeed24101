/** Limits on what one writer can use of the disk and memory that all users share. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Writing } from '#contract/mail/writing.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, letRead, limitStorage, type Mailbox } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { purgeWriting, saveDraft } from './save-draft.ts'
import { sendWriting, undoSend } from './send-writing.ts'
import { copyAttachments, removeUpload, uploadFile } from './upload-file.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
let box: string

beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  mailbox = await aMailbox(app, { domain })
  box = mailbox.id
  await letRead(app, mailbox, who.userId)
})

/** Large enough to be a file: small blobs go with their segment (decision 088). */
const LONG = 'At four? '.repeat(20_000)
const aWriting = (given: Partial<Writing> = {}): Writing => ({
  ...{ to: ['eve@example.net'], cc: [], bcc: [], subject: 'Tea', html: `<div>${LONG}</div>` },
  ...{ uploads: [], draft: newId(), writer: newId(), save: 1 },
  ...given,
})
const save = (writing: Writing) => saveDraft(app, who, box, writing)
const send = (writing: Writing, key = newId()) => sendWriting(app, who, box, { ...writing, key })
const blobs = async (): Promise<Set<string>> => {
  const hashes = new Set<string>()
  for await (const { hash } of app.blobs.list()) hashes.add(hash)
  return hashes
}

test('a save that changes nothing, or is refused, leaves nothing on disk', async () => {
  const writing = aWriting({ save: 9 })
  await save(writing)
  const before = await blobs()
  for (const late of [1, 2, 9]) await save({ ...writing, save: late })
  const fromAnotherWindow = save({ ...writing, writer: newId() })
  await expect(fromAnotherWindow).rejects.toMatchObject({ type: 'DRAFT_CHANGED' })
  expect(await blobs()).toEqual(before)
})

test('who takes a message back while its mailbox is deleted holds up nobody', async () => {
  const key = newId()
  await send(aWriting(), key)
  let undoing: Promise<unknown> = Promise.resolve()
  await app.db.transaction().execute(async (tx) => {
    const row = tx.selectFrom('mailboxes').select('id').where('id', '=', box)
    await row.forUpdate().executeTakeFirstOrThrow()
    undoing = undoSend(app, who, box, { key, takeBack: true }).catch((error: unknown) => error)
    await expect.poll(waitsForALock).toBe(true)
    await tx.deleteFrom('mailboxes').where('id', '=', box).execute()
  })
  expect(await undoing).not.toBeInstanceOf(Error)
})

/** A user in this database. */
const waitsForALock = async (): Promise<boolean> => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
  return rows.length > 0
}

test('a message that is not sent, or was sent before, leaves nothing on disk', async () => {
  const [undone, twice] = [newId(), newId()]
  await undoSend(app, who, box, { key: undone, takeBack: true })
  const before = await blobs()
  await expect(send(aWriting(), undone)).rejects.toMatchObject({ type: 'SEND_UNDONE' })
  expect(await blobs()).toEqual(before)
  await Promise.all([1, 2, 3].map(() => send(aWriting(), twice)))
  const rows = await app.db
    .selectFrom('messages')
    .select('blob')
    .where('mailboxId', '=', box)
    .union(app.db.selectFrom('outboxMessages').select('blob').where('mailboxId', '=', box))
    .execute()
  expect(await blobs()).toEqual(new Set([...before, ...rows.map(({ blob }) => blob)]))
})

test('a file that is named again and again is refused before it is read that often', async () => {
  const content = Buffer.alloc(1_000_000)
  const file = { filename: 'a.bin', contentType: 'application/octet-stream', content }
  const { _id } = await uploadFile(app, who, box, file)
  const read = vi.spyOn(app.blobs, 'get')
  const saving = save(aWriting({ uploads: Array.from({ length: 200 }, () => _id) }))
  await expect(saving).rejects.toMatchObject({ type: 'VALIDATION' })
  expect(read).not.toHaveBeenCalled()
})

test('an attachment that is named again and again is copied once', async () => {
  const raw = `From: a@b.example\r\nTo: ${mailbox.email}\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nHello\r\n`
  await receiveMessage(
    app,
    app.db,
    { raw: Buffer.from(raw), mailFrom: 'a@b.example', authentication: null },
    [{ mailboxId: box, workspaceId: who.workspaceId }],
  )
  const { items } = await listMessages(app, who, box, { folder: 'inbox', limit: 5 })
  const parts = Array.from({ length: 200 }, () => 0)
  expect(
    await copyAttachments(app, who, box, { messageId: items[0]?._id ?? '', parts }),
  ).toHaveLength(1)
})

const upload = (n: number, into = box) =>
  uploadFile(app, who, into, {
    ...{ filename: 'a', contentType: 'a/b' },
    content: Buffer.alloc(300, `${n}`),
  })

const quota = (bytes: number) => limitStorage(app, who.workspaceId, bytes)

test('files that are uploaded at once, into all mailboxes, have the room of one workspace', async () => {
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const other = await aMailbox(app, { domain })
  await letRead(app, other, who.userId)
  await quota(1_000)
  const uploads = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => upload(n, n % 2 === 0 ? box : other.id)),
  )
  expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('a file that was removed is on disk for a day, and counts for as long', async () => {
  await quota(1_000)
  for (const n of [1, 2, 3]) await removeUpload(app, who, box, (await upload(n))._id)
  await expect(upload(4)).rejects.toMatchObject({ type: 'STORAGE_FULL' })
  app.clock.advance({ hours: 25 })
  await purgeWriting(app)
  expect(await app.db.selectFrom('uploads').select('id').execute()).toEqual([])
  await upload(4)
})

test('a file that was removed is in no message any more, and is not removed twice', async () => {
  const { _id } = await upload(1)
  await removeUpload(app, who, box, _id)
  await expect(removeUpload(app, who, box, _id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  await expect(save(aWriting({ uploads: [_id] }))).rejects.toMatchObject({ type: 'VALIDATION' })
})
