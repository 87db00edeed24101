import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { saveDraft } from '#server/features/sending/save-draft.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { aLetter } from '#test-world/mail/letter.ts'
import { aMailReader } from '#test-world/members.ts'
import { sweepBlobs } from '../blobs/sweep-blobs.ts'
import { changeMessage, deleteMessage } from '../change-message.ts'
import { changeMessages } from '../change-messages.ts'
import { changesSince } from './changes-since.ts'
import { KEEP_DAYS, purgeTombstones } from './purge-tombstones.ts'

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

const come = async (...subjects: string[]): Promise<string[]> => {
  for (const subject of subjects) {
    app.clock.advance({ seconds: 1 })
    await aLetter(app, mailbox, { subject })
  }
  const rows = await app.db
    .selectFrom('messages')
    .select(['id', 'subject'])
    .where('mailboxId', '=', mailbox.id)
    .execute()
  return subjects.map((subject) => rows.find((row) => row.subject === subject)?.id ?? '')
}
const ask = (since: number, more: { after?: string; limit?: number } = {}) =>
  changesSince(app, who, mailbox.id, { since, limit: 50, ...more })
const tombstones = () =>
  app.db
    .selectFrom('tombstones')
    .selectAll()
    .where('mailboxId', '=', mailbox.id)
    .orderBy('modseq')
    .execute()
const deleteForGood = async (id: string) => {
  await deleteMessage(app, who, mailbox.id, id)
  await deleteMessage(app, who, mailbox.id, id)
}

test('nothing is told twice: a mail, its mark, its move and its end have a modseq each', async () => {
  const before = (await ask(0)).modseq
  const [id = ''] = await come('One')
  const filed = await ask(before)
  expect(filed.changed).toMatchObject([{ _id: id, subject: 'One', isRead: false }])
  await changeMessage(app, who, mailbox.id, id, { isRead: true })
  const marked = await ask(filed.modseq)
  expect(marked.changed).toMatchObject([{ _id: id, isRead: true }])
  await changeMessage(app, who, mailbox.id, id, { folder: 'archive' })
  const moved = await ask(marked.modseq)
  const [inbox, archive] = ['inbox', 'archive'].map(
    (role) => moved.folders.find((folder) => folder.role === role)?._id,
  )
  expect(moved.gone).toMatchObject([{ _id: id, folder: inbox }])
  expect(moved.changed).toMatchObject([{ _id: id, folder: archive }])
  expect(moved.gone[0]?.modseq).toBeLessThan(moved.changed[0]?.modseq ?? 0)
  await deleteForGood(id)
  const ended = await ask(moved.modseq)
  expect(ended.changed).toEqual([])
  expect(ended.gone.map(({ _id }) => _id)).toEqual([id, id])
  expect(await ask(ended.modseq)).toMatchObject({ changed: [], gone: [], modseq: ended.modseq })
})

test('one change of many messages is told in parts, each message once', async () => {
  const messages = await come('1', '2', '3', '4', '5')
  const { modseq } = await ask(0)
  await changeMessages(app, who, mailbox.id, { messages, folder: 'archive' })
  const seen: string[] = []
  const left: string[] = []
  let position: { since: number; after?: string } = { since: modseq }
  for (let calls = 0; calls < 20; calls++) {
    const { since, ...rest } = position
    const answer = await ask(since, { ...rest, limit: 2 })
    seen.push(...answer.changed.map(({ _id }) => _id))
    left.push(...answer.gone.map(({ _id }) => _id))
    if (answer.after === null) break
    position = { since: answer.modseq, after: answer.after }
  }
  expect(seen.toSorted()).toEqual(messages.toSorted())
  expect(left.toSorted()).toEqual(messages.toSorted())
})

test('what was deleted for good keeps its bytes for thirty days, then it is forgotten', async () => {
  app.clock.catchUp()
  const [kept = ''] = await come('Stays')
  // Large enough to be a file, which the sweep removes at once.
  await aLetter(app, mailbox, { subject: 'Ends', body: `${'x'.repeat(70)}\r\n`.repeat(3_000) })
  const [id = ''] = await come('Ends')
  const { modseq } = await ask(0)
  await deleteForGood(id)
  const [, end] = await tombstones()
  const blob = end?.blob ?? ''
  expect(end).toMatchObject({ messageId: id, kept: { subject: 'Ends', is_read: false } })
  app.clock.advance({ days: KEEP_DAYS - 1 })
  await purgeTombstones(app)
  await sweepBlobs(app)
  expect((await app.blobs.get(blob)).toString()).toContain('Subject: Ends')
  app.clock.advance({ days: 2 })
  await purgeTombstones(app)
  await sweepBlobs(app)
  expect(await tombstones()).toEqual([])
  await expect(app.blobs.get(blob)).rejects.toThrow()
  const answer = await ask(modseq)
  expect(answer).toMatchObject({ isForgotten: true, changed: [], gone: [] })
  await changeMessage(app, who, mailbox.id, kept, { isRead: true })
  expect((await ask(answer.modseq)).changed).toMatchObject([{ _id: kept, isRead: true }])
})

test('a modseq that was never given, as after a restore, is answered like a forgotten one', async () => {
  const { modseq } = await ask(0)
  expect(await ask(modseq + 1)).toMatchObject({ isForgotten: true, modseq })
})

test('a workspace keeps no more bytes of deleted mail than its quota: the oldest go first', async () => {
  const ids = await come('Oldest', 'Older', 'Newest')
  for (const id of ids) await deleteForGood(id)
  const size = (await tombstones())[0]?.sizeBytes ?? 0
  await app.db
    .updateTable('workspaces')
    .set({ storageQuotaBytes: size * 2 + 10 })
    .where('id', '=', mailbox.workspaceId)
    .execute()
  await purgeTombstones(app)
  const rows = await tombstones()
  const withBytes = rows.filter(({ blob }) => blob !== null).map(({ messageId }) => messageId)
  expect(withBytes).toEqual(ids.slice(1))
  // Their places are still told.
  expect(rows).toHaveLength(6)
})

test('the saves of a draft keep no bytes', async () => {
  const [draft, writer] = [newId(), newId()]
  for (const save of [1, 2, 3])
    await saveDraft(app, who, mailbox.id, {
      ...{ to: [], cc: [], bcc: [], subject: 'Draft', html: `<p>${save}</p>`, uploads: [] },
      ...{ draft, writer, save },
    })
  expect((await tombstones()).map(({ blob, kept }) => [blob, kept])).toEqual([
    [null, null],
    [null, null],
  ])
})

test('nobody reads the log of a mailbox that was not given to them', async () => {
  const other = await aMailReader(app)
  await expect(
    changesSince(app, other.who, mailbox.id, { since: 0, limit: 50 }),
  ).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})
