import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Writing } from '#contract/mail/writing.ts'
import { storePreferences } from '#server/features/accounts/preferences/preference-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { sweepBlobs } from '#server/features/messages/blobs/sweep-blobs.ts'
import { getConversation, listConversations } from '#server/features/messages/conversations.ts'
import { getAttachment, getMessage } from '#server/features/messages/get-message.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { searchMessages } from '#server/features/messages/search/search-messages.ts'
import { claimDueDelivery } from '#server/features/outbox/claim-deliveries.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { getDraft, purgeWriting, saveDraft } from './save-draft.ts'
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
  await app.db.deleteFrom('outboxMessages').execute()
  who = await aMember(app)
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  mailbox = await aMailbox(app, { domain })
  box = mailbox.id
  await letRead(app, mailbox, who.userId)
})

const aWriting = (given: Partial<Writing> = {}): Writing => ({
  ...{
    to: ['Eve <eve@example.net>'],
    cc: [],
    bcc: [],
    subject: 'Tea',
    html: '<div>At four?</div>',
  },
  ...{ uploads: [], draft: newId(), writer: newId(), save: 1 },
  ...given,
})
const save = (writing: Writing) => saveDraft(app, who, box, writing)
const send = (writing: Writing, key = newId()) => sendWriting(app, who, box, { ...writing, key })
const undo = (key: string, takeBack = true) => undoSend(app, who, box, { key, takeBack })
const list = async (folder: string) =>
  (await listMessages(app, who, box, { folder, limit: 50 })).items
const file = (text: string, filename = 'plan.txt') =>
  uploadFile(app, who, box, {
    ...{ filename, contentType: 'text/plain', content: Buffer.from(text) },
  })
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing refused',
    (error: { type?: string; data?: unknown }) => [error.type, error.data],
  )
const usedBytes = async () => {
  const row = await app.db
    .selectFrom('mailboxes')
    .select('usedBytes')
    .where('id', '=', box)
    .executeTakeFirstOrThrow()
  return row.usedBytes
}
const deliveries = () =>
  app.db
    .selectFrom('deliveries')
    .selectAll()
    .where('workspaceId', '=', who.workspaceId)
    .orderBy('recipient')
    .execute()
const receive = async (subject: string): Promise<string> => {
  const raw = `From: Eve <eve@example.net>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\nMessage-ID: <${newId()}@example.net>\r\n\r\nHello\r\n`
  const message = { raw: Buffer.from(raw), mailFrom: 'eve@example.net', authentication: null }
  await receiveMessage(app, app.db, message, [{ mailboxId: box, workspaceId: who.workspaceId }])
  return (await list('inbox'))[0]?._id ?? ''
}
const marksOf = (id: string) =>
  app.db
    .selectFrom('messages')
    .select(['isAnswered', 'keywords'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('a draft that is saved while one types', () => {
  test('is one message, whatever is saved, and takes no more room than the last save', async () => {
    // Large enough to be a file: small blobs go with their segment (decision 088).
    const html = `<div>${'At four? '.repeat(20_000)}</div>`
    const writing = aWriting({ bcc: ['bob@example.net'], html })
    const first = await save(writing)
    const used = await usedBytes()
    app.clock.advance({ seconds: 2 })
    const second = await save({ ...writing, save: 2, subject: 'Tea, or coffee' })
    expect(second._id).toBe(first._id)
    expect(second.revision).not.toBe(first.revision)
    expect(await list('drafts')).toMatchObject([{ _id: first._id, subject: 'Tea, or coffee' }])
    expect(Math.abs((await usedBytes()) - used)).toBeLessThan(100)
    expect(await getMessage(app, who, box, first._id)).toMatchObject({
      ...{ html: expect.stringContaining('At four?'), bcc: [{ address: 'bob@example.net' }] },
    })
    // Only the last one is kept on disk.
    const blobs = []
    for await (const { hash } of app.blobs.list()) blobs.push(hash)
    const rows = await app.db
      .selectFrom('messages')
      .select('blob')
      .where('mailboxId', '=', box)
      .execute()
    expect(blobs).toEqual(expect.arrayContaining(rows.map(({ blob }) => blob)))
    expect(rows).toHaveLength(1)
  })

  test('two saves at once, and one that comes late or twice, make one draft of the newest', async () => {
    const writing = aWriting()
    const answers = await Promise.all([
      save({ ...writing, save: 1, subject: 'one' }),
      save({ ...writing, save: 2, subject: 'two' }),
      save({ ...writing, save: 2, subject: 'two' }),
    ])
    expect(new Set(answers.map(({ _id }) => _id)).size).toBe(1)
    await save({ ...writing, save: 1, subject: 'one' })
    expect(await list('drafts')).toMatchObject([{ subject: 'two' }])
  })

  test('another window does not write over it, unless it began with what is here', async () => {
    const writing = aWriting()
    const { _id, revision } = await save(writing)
    const { draft, revision: opened } = await getDraft(app, who, box, _id)
    expect([draft, opened]).toEqual([writing.draft, revision])
    const other = aWriting({ draft, basedOn: opened, subject: 'From the other window' })
    await save(other)
    expect(await refusal(save({ ...writing, save: 2 }))).toEqual(['DRAFT_CHANGED', {}])
    expect(await list('drafts')).toMatchObject([{ subject: 'From the other window' }])
    // What it sends goes out, and the other window's words stay.
    await send({ ...writing, save: 3, subject: 'Sent here' })
    expect(await list('drafts')).toMatchObject([{ subject: 'From the other window' }])
    expect(await list('sent')).toMatchObject([{ subject: 'Sent here' }])
  })

  test('one deleted elsewhere is saved again; one that was sent is not written over', async () => {
    const writing = aWriting()
    const { _id } = await save(writing)
    await app.db.deleteFrom('messages').where('id', '=', _id).execute()
    await save({ ...writing, save: 2 })
    expect(await list('drafts')).toHaveLength(1)
    await send({ ...writing, save: 3 })
    expect(await refusal(save({ ...writing, save: 4 }))).toEqual(['DRAFT_CHANGED', {}])
    expect(await list('drafts')).toEqual([])
  })

  test('a key or file of somebody else is as good as a random one', async () => {
    const stranger = await aMember(app)
    const domain = await aDomain(app, { workspaceId: stranger.workspaceId, active: true })
    const theirs = await aMailbox(app, { domain })
    await letRead(app, theirs, stranger.userId)
    const { _id } = await saveDraft(app, stranger, theirs.id, aWriting({ subject: 'Theirs' }))
    const mine = await save(aWriting({ draft: _id, basedOn: 'first' }))
    expect(mine._id).not.toBe(_id)
    expect(await getMessage(app, stranger, theirs.id, _id)).toMatchObject({ subject: 'Theirs' })
    const { _id: uploadId } = await file('mine')
    expect(
      await refusal(saveDraft(app, stranger, theirs.id, aWriting({ uploads: [uploadId] }))),
    ).toEqual(['VALIDATION', { 'uploads.0': 'This file no longer exists. Please attach it again' }])
    expect(await refusal(removeUpload(app, stranger, theirs.id, uploadId))).toEqual([
      'NOT_EXISTS',
      {},
    ])
    expect(await refusal(getDraft(app, stranger, theirs.id, mine._id))).toEqual(['NOT_EXISTS', {}])
    expect(await refusal(getDraft(app, who, theirs.id, _id))).toEqual(['NOT_EXISTS', {}])
  })
})

describe('files', () => {
  test('are uploaded once, go with every save, and as pictures where the text shows them', async () => {
    const plan = await file('a plan')
    const { _id: picture } = await uploadFile(app, who, box, {
      ...{ filename: 'mill.png', contentType: 'image/png', content: Buffer.from('ABC') },
    })
    const html = `<div>See <img src="cid:${picture}"></div>`
    const writing = aWriting({ html, uploads: [plan._id, picture] })
    await save(writing)
    const { _id } = await save({ ...writing, save: 2 })
    const draft = await getMessage(app, who, box, _id)
    const [attached, shown] = [null, `${picture}@${mailbox.email.split('@')[1]}`]
    expect(
      draft.attachments.map(({ filename, contentId }) => [filename, contentId]).sort(),
    ).toEqual(
      [
        ['mill.png', shown],
        ['plan.txt', attached],
      ].sort(),
    )
    expect(draft.html).toContain(`src="cid:${shown}"`)
    const n = draft.attachments.findIndex(({ filename }) => filename === 'plan.txt')
    expect(String((await getAttachment(app, who, box, _id, n)).content)).toBe('a plan')
    expect((await getDraft(app, who, box, _id)).uploads.map(({ filename }) => filename)).toEqual([
      'plan.txt',
      'mill.png',
    ])
    // What is passed on needs no way through the browser.
    const copies = await copyAttachments(app, who, box, { messageId: _id, parts: [n] })
    expect(copies).toMatchObject([{ filename: 'plan.txt', size: 6 }])
    expect(await refusal(copyAttachments(app, who, box, { messageId: _id, parts: [9] }))).toEqual([
      'NOT_EXISTS',
      {},
    ])
  })

  test('stay as long as a draft has them, and are swept a day after', async () => {
    app.clock.catchUp()
    const [kept, idle] = [await file('kept'), await file('idle')]
    await save(aWriting({ uploads: [kept._id] }))
    app.clock.advance({ hours: 72 })
    await purgeWriting(app)
    await sweepBlobs(app)
    const writing = aWriting({ uploads: [kept._id] })
    expect((await save(writing))._id).toBeDefined()
    expect(await refusal(save(aWriting({ uploads: [idle._id] })))).toEqual([
      'VALIDATION',
      { 'uploads.0': 'This file no longer exists. Please attach it again' },
    ])
    for (const message of await list('drafts'))
      await app.db.deleteFrom('messages').where('id', '=', message._id).execute()
    await purgeWriting(app)
    expect(await refusal(save(writing))).toEqual([
      'VALIDATION',
      { 'uploads.0': 'This file no longer exists. Please attach it again' },
    ])
  })
})

describe('sending', () => {
  test('once for a key, however often and however many at once ask', async () => {
    const [writing, key] = [aWriting(), newId()]
    await save(writing)
    const answers = await Promise.all([send(writing, key), send(writing, key), send(writing, key)])
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await send(writing, key)).toEqual(answers[0])
    expect(await list('sent')).toHaveLength(1)
    expect(await list('drafts')).toEqual([])
    expect(await deliveries()).toHaveLength(1)
  })

  test('waits, here too, and goes when its time has come', async () => {
    const neighbour = await aMailbox(app)
    const { undoSeconds } = await send(aWriting({ cc: [neighbour.email] }))
    expect(undoSeconds).toBe(10)
    expect(await claimDueDelivery(app, 1, [])).toBeUndefined()
    app.clock.advance({ seconds: 10 })
    for (const _ of await deliveries()) expect(await claimDueDelivery(app, 1, [])).toBeDefined()
    const atOnce = { ...app, config: { ...app.config, undoSeconds: 0 } }
    const sent = await sendWriting(atOnce, who, box, { ...aWriting(), key: newId() })
    expect(sent.undoSeconds).toBe(0)
    expect(await claimDueDelivery(app, 1, [])).toBeDefined()
  })

  test.each([
    [30, 30],
    [5, 5],
    [0, 0],
    [null, 10],
  ] as const)('waits as long as its writer chose: %s', async (undoSeconds, waits) => {
    const colleague = await aMember(app)
    await storePreferences(app.db, who.userId, { undoSeconds }, app.clock.now())
    await storePreferences(app.db, colleague.userId, { undoSeconds: 20 }, app.clock.now())
    const key = newId()
    expect((await send(aWriting(), key)).undoSeconds).toBe(waits)
    if (waits > 0) {
      app.clock.advance({ seconds: waits - 1 })
      expect(await claimDueDelivery(app, 1, [])).toBeUndefined()
      app.clock.advance({ seconds: 1 })
    }
    expect(await claimDueDelivery(app, 1, [])).toBeDefined()
    expect(await undo(key)).toMatchObject({ state: 'sent' })
  })

  test('as plain text only, quotations marked, as a draft and as it is sent', async () => {
    const html =
      '<div style="white-space: pre-wrap">Dear  Eve,\n\n  - &lt;one&gt;</div><div><br></div><div class="mailstead-quote"><div>Eve wrote:</div><blockquote type="cite"><p>Four?</p></blockquote></div>'
    const writing = aWriting({ html, isPlainText: true })
    const text = 'Dear  Eve,\n\n  - <one>\n\nEve wrote:\n\n> Four?'
    const { _id } = await save(writing)
    expect(await getMessage(app, who, box, _id)).toMatchObject({
      ...{ html: null, text: `${text}\n` },
    })
    const { messageId } = await send({ ...writing, save: 2 })
    const sent = await getMessage(app, who, box, messageId)
    expect([sent.html, sent.text.trimEnd()]).toEqual([null, text])
    const long = aWriting({ html: `<div>${'x'.repeat(1_000_001)}</div>`, isPlainText: true })
    expect((await refusal(send(long)))[0]).toBe('VALIDATION')
  })

  test('what is taken back is a draft again with all it had, and nothing of it was sent or counted', async () => {
    const original = await receive('Mill')
    const { _id: plan } = await file('a plan')
    const writing = aWriting({ inReplyTo: original, uploads: [plan], bcc: ['bob@example.net'] })
    const key = newId()
    const { messageId } = await send(writing, key)
    expect(await marksOf(original)).toMatchObject({ isAnswered: true })
    expect(await undo(key)).toEqual({ state: 'undone', messageId })
    expect(await undo(key)).toEqual({ state: 'undone', messageId })
    expect(await deliveries()).toEqual([])
    expect(await list('sent')).toEqual([])
    expect(await list('drafts')).toMatchObject([{ _id: messageId, subject: 'Tea' }])
    expect(await marksOf(original)).toMatchObject({ isAnswered: false })
    expect(await getDraft(app, who, box, messageId)).toMatchObject({
      ...{ draft: writing.draft, inReplyTo: original, uploads: [{ _id: plan }] },
    })
    expect((await getMessage(app, who, box, messageId)).bcc).toMatchObject([
      { address: 'bob@example.net' },
    ])
    for (const table of ['sendings', 'correspondents', 'contacts'] as const)
      expect(
        await app.db.selectFrom(table).select('mailboxId').where('mailboxId', '=', box).execute(),
        table,
      ).toEqual([])
    // The old request, come late, sends nothing; a new one does.
    expect(await refusal(send(writing, key))).toEqual(['SEND_UNDONE', {}])
    await send({ ...writing, save: 2 })
    expect(await list('sent')).toMatchObject([{ _id: messageId }])
    expect(await deliveries()).toHaveLength(2)
  })

  test('once a delivery was claimed it is too late; the mark of an answer before stays', async () => {
    const original = await receive('Mill')
    await send(aWriting({ inReplyTo: original }))
    const key = newId()
    const { messageId } = await send(aWriting({ inReplyTo: original, cc: ['x@example.net'] }), key)
    app.clock.advance({ seconds: 10 })
    const claim = () => claimDueDelivery(app, 1, [])
    // In the same instant: either the claims or the undo, never both.
    const [{ state }] = await Promise.all([undo(key), claim(), claim(), claim()])
    const ofKey = (await deliveries()).filter(({ recipient }) => recipient === 'x@example.net')
    expect(ofKey).toHaveLength(state === 'undone' ? 0 : 1)
    expect((await list('drafts')).map(({ _id }) => _id)).toEqual(
      state === 'undone' ? [messageId] : [],
    )
    expect(await marksOf(original)).toMatchObject({ isAnswered: true })
    const second = newId()
    await send(aWriting(), second)
    app.clock.advance({ seconds: 10 })
    // What the undo held a moment ago is due as well.
    while (await claim());
    expect(await undo(second)).toMatchObject({ state: 'sent' })
  })

  test('a key that never arrived is stopped; without takeBack what was sent stays sent', async () => {
    const key = newId()
    expect(await undo(key, false)).toEqual({ state: 'undone', messageId: null })
    expect(await refusal(send(aWriting(), key))).toEqual(['SEND_UNDONE', {}])
    expect(await deliveries()).toEqual([])
    const sent = newId()
    const { messageId } = await send(aWriting(), sent)
    expect(await undo(sent, false)).toEqual({ state: 'sent', messageId })
  })

  test('what is passed on is marked, with a keyword that mail programs know', async () => {
    const original = await receive('Mill')
    const key = newId()
    await send(aWriting({ forwardOf: original }), key)
    expect(await marksOf(original)).toEqual({ isAnswered: false, keywords: ['$Forwarded'] })
    await send(aWriting({ inReplyTo: original }))
    const folder = { folder: 'inbox', limit: 50 }
    const { items: found } = await searchMessages(app, who, box, {
      ...{ folder: 'inbox', q: 'Mill', limit: 50 },
    })
    for (const shown of [
      (await listConversations(app, who, box, { ...folder, from: 0 })).items,
      (await getConversation(app, who, box, original)).items.filter(({ _id }) => _id === original),
      await list('inbox'),
      found.filter(({ _id }) => _id === original),
    ])
      expect(shown).toMatchObject([{ isAnswered: true, isForwarded: true }])
  })

  test('what was passed on and taken back is not marked any more', async () => {
    const original = await receive('Mill')
    const key = newId()
    await send(aWriting({ forwardOf: original }), key)
    await undo(key)
    expect(await marksOf(original)).toEqual({ isAnswered: false, keywords: [] })
  })

  test('a refusal changes nothing, and the same key may try again', async () => {
    const writing = aWriting({ to: ['nonsense'] })
    const { _id } = await save(writing)
    expect(await getDraft(app, who, box, _id)).toMatchObject({ unfinished: { to: ['nonsense'] } })
    const key = newId()
    expect(await refusal(send(writing, key))).toEqual([
      'VALIDATION',
      { 'to.0': 'Invalid email address' },
    ])
    expect(await list('drafts')).toHaveLength(1)
    await send({ ...writing, to: ['eve@example.net'] }, key)
    expect(await list('sent')).toHaveLength(1)
  })
})
