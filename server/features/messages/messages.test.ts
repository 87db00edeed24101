import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { newId } from '#server/lib/ids.ts'
import { SMALL_BYTES } from '#server/storage/blobs/segment-blobs.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  letRead,
  limitStorage,
  type Mailbox,
} from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { sweepBlobs } from './blobs/sweep-blobs.ts'
import { changeMessage, deleteMessage } from './change-message.ts'
import { getAttachment, getMessage, getRawMessage } from './get-message.ts'
import { listFolders } from './list-folders.ts'
import { listMessages } from './list-messages.ts'
import { receiveMessage } from './receive-message.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox

beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, who.userId)
})

const receive = async (raw: string): Promise<string> => {
  app.clock.advance({ seconds: 1 })
  const message = { raw: Buffer.from(raw), mailFrom: 'eve@example.net', authentication: null }
  await receiveMessage(app, app.db, message, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
  const { items } = await list()
  return items[0]?._id ?? ''
}
const plain = (subject: string, body = 'Hello') =>
  `From: Eve <eve@example.net>\r\nTo: ada@example.com\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.net>\r\n\r\n${body}\r\n`
const list = (more: object = {}) =>
  listMessages(app, who, mailbox.id, { folder: 'inbox', limit: 50, ...more })
const counts = async () =>
  Object.fromEntries(
    (await listFolders(app, who, mailbox.id)).map((f) => [f.role, [f.messages, f.unread]]),
  )
const usedBytes = async () =>
  (
    await app.db
      .selectFrom('mailboxes')
      .select('usedBytes')
      .where('id', '=', mailbox.id)
      .executeTakeFirstOrThrow()
  ).usedBytes
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing refused',
    (error: { type?: string; data?: unknown }) => [error.type, error.data],
  )
const form = {
  to: [] as string[],
  cc: [],
  bcc: [],
  subject: 'Hi',
  text: 'Hello',
  attachments: [],
  draft: false,
}

test('no more images of the text than attachments become parts', async () => {
  const html = '<img src="data:image/png;base64,QQ==">'.repeat(500)
  const form = { to: [], cc: [], bcc: [], subject: '', text: 'x', html, attachments: [] }
  const { _id } = await sendMessage(app, who, mailbox.id, { ...form, draft: true })
  const { attachments } = await getMessage(app, who, mailbox.id, _id)
  expect(attachments).toHaveLength(100)
})

describe('who may read', () => {
  test('only readers; a foreign, random or malformed id is no mailbox', async () => {
    const id = await receive(plain('secret'))
    const admin: Who = { ...who, userId: (await aUser(app)).id }
    const stranger = await aMember(app)
    const all = (as: Who, box: string) => [
      () => listFolders(app, as, box),
      () => listMessages(app, as, box, { folder: 'inbox', limit: 50 }),
      () => getMessage(app, as, box, id),
      () => getRawMessage(app, as, box, id),
      () => getAttachment(app, as, box, id, 0),
      () => changeMessage(app, as, box, id, { isRead: true }),
      () => deleteMessage(app, as, box, id),
      () => sendMessage(app, as, box, { ...form, to: ['a@example.net'] }),
    ]
    for (const refused of all(admin, mailbox.id))
      expect(await refusal(refused())).toEqual(['FORBIDDEN', {}])
    for (const [as, box] of [
      [stranger, mailbox.id],
      [who, newId()],
      [who, "'; drop"],
    ] as const)
      for (const refused of all(as, box))
        expect(await refusal(refused())).toEqual(['NOT_EXISTS', {}])
    const other = await aMailbox(app, {
      domain: await aDomain(app, { workspaceId: who.workspaceId }),
    })
    await letRead(app, other, who.userId)
    for (const wrong of [newId(), 'x', id])
      expect(await refusal(getMessage(app, who, other.id, wrong))).toEqual(['NOT_EXISTS', {}])
  })
})

describe('lists', () => {
  test('pages are newest first and meet without gap or overlap, also at equal dates', async () => {
    for (let n = 0; n < 7; n++) await receive(plain(`m${n}`))
    await app.db.updateTable('messages').set({ date: app.clock.now() }).execute()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list({ limit: 3, cursor })
      seen.push(...page.items.map(({ _id }) => _id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(new Set(seen).size).toBe(7)
    expect(seen).toEqual(seen.toSorted().toReversed())
    expect(await refusal(list({ cursor: 'nonsense' }))).toEqual(['VALIDATION', expect.anything()])
    expect(await refusal(list({ folder: newId() }))).toEqual(['NOT_EXISTS', {}])
  })

  test('search finds words of subject, people and body by their start, and signs find nothing', async () => {
    await receive(plain('Quarterly report', 'The zebra crossed the Straße.'))
    await receive(plain('Other', 'Nothing here'))
    for (const q of ['zebra', 'zeb', 'REPORT', 'eve@example.net', 'straße zebra', "o'zebra zebra"])
      expect((await list({ q })).items.length, q).toBe(
        q.includes("'") ? 0 : q.startsWith('eve') ? 2 : 1,
      )
    for (const q of ['ebra', '!!!', "'", '\\', ':*', '& |', 'zebra nothing'])
      expect((await list({ q })).items, q).toEqual([])
  })
})

describe('changes', () => {
  test('reading, starring and moving keep the counters right', async () => {
    const id = await receive(plain('a'))
    await receive(plain('b'))
    expect(await counts()).toMatchObject({ inbox: [2, 2], archive: [0, 0] })
    expect(
      await changeMessage(app, who, mailbox.id, id, { isRead: true, isStarred: true }),
    ).toMatchObject({
      isRead: true,
      isStarred: true,
    })
    expect(await counts()).toMatchObject({ inbox: [2, 1] })
    await changeMessage(app, who, mailbox.id, id, { folder: 'archive', isRead: false })
    expect(await counts()).toMatchObject({ inbox: [1, 1], archive: [1, 1] })
    expect((await getMessage(app, who, mailbox.id, id)).folder).toBe('archive')
    expect(await refusal(changeMessage(app, who, mailbox.id, id, { folder: newId() }))).toEqual([
      'NOT_EXISTS',
      {},
    ])
  })

  test('deleting goes to Trash, then for good, and gives the bytes back', async () => {
    const id = await receive(plain('a'))
    expect(await usedBytes()).toBe(Buffer.byteLength(plain('a')))
    await deleteMessage(app, who, mailbox.id, id)
    expect(await counts()).toMatchObject({ inbox: [0, 0], trash: [1, 1] })
    await deleteMessage(app, who, mailbox.id, id)
    expect(await counts()).toMatchObject({ trash: [0, 0] })
    expect(await usedBytes()).toBe(0)
    expect(await refusal(deleteMessage(app, who, mailbox.id, id))).toEqual(['NOT_EXISTS', {}])
  })

  test('many at once leave the counters equal to what is there', async () => {
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await receive(plain(`c${n}`)))
    const folders = ['archive', 'trash', 'inbox', 'junk']
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const id = ids[n % ids.length] ?? ''
        if (n % 7 === 0) return receive(plain(`x${n}`))
        return changeMessage(app, who, mailbox.id, id, {
          isRead: n % 3 === 0,
          ...(n % 2 === 0 ? { folder: folders[n % 4] } : {}),
        })
      }),
    )
    const rows = await app.db
      .selectFrom('messages')
      .innerJoin('folders', 'folders.id', 'messages.folderId')
      .select(['folders.role', 'messages.isRead', 'messages.uid', 'folders.uidNext'])
      .where('messages.mailboxId', '=', mailbox.id)
      .execute()
    for (const [role, [messages, unread]] of Object.entries(await counts()) as [
      string,
      number[],
    ][]) {
      const here = rows.filter((row) => row.role === role)
      expect([here.length, here.filter((row) => !row.isRead).length], role).toEqual([
        messages,
        unread,
      ])
      expect(new Set(here.map(({ uid }) => uid)).size).toBe(here.length)
      for (const { uid, uidNext } of here) expect(uid).toBeLessThan(uidNext)
    }
  })
})

describe('an opened message', () => {
  const mixed = [
    'From: Eve <eve@example.net>',
    'To: Group: a@example.com, "B, C" <b@example.com>;',
    'Reply-To: reply@example.net',
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    'Message-ID: <m@example.net>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Hi <script>alert(1)</script><b>there</b></p>',
    '--b',
    'Content-Type: text/html',
    'Content-Disposition: attachment; filename="../../etc/\u202epasswd.html"',
    'Content-Transfer-Encoding: base64',
    '',
    'PGI+aGk8L2I+',
    '--b--',
    '',
  ].join('\r\n')

  test('shows people, text, HTML as received, and attachments with harmless names', async () => {
    const id = await receive(mixed)
    const message = await getMessage(app, who, mailbox.id, id)
    expect(message).toMatchObject({
      subject: 'Grüße',
      folder: 'inbox',
      isRead: false,
      hasAttachments: true,
      to: [
        { name: '', address: 'a@example.com' },
        { name: 'B, C', address: 'b@example.com' },
      ],
      replyTo: [{ name: '', address: 'reply@example.net' }],
      attachments: [{ n: 0, contentType: 'text/html', size: 9, contentId: null }],
    })
    expect(message.html).toContain('<script>')
    expect(message.text).toContain('there')
    expect(message.text).not.toContain('alert')
    expect(message.attachments[0]?.filename).not.toMatch(/[/\\\u202e]/)
    const file = await getAttachment(app, who, mailbox.id, id, 0)
    expect(file.content.toString()).toBe('<b>hi</b>')
    expect(await refusal(getAttachment(app, who, mailbox.id, id, 1))).toEqual(['NOT_EXISTS', {}])
    const raw = await getRawMessage(app, who, mailbox.id, id)
    expect(Buffer.concat(await Array.fromAsync(raw.pieces())).toString()).toBe(mixed)
    expect((await list()).items[0]?.isRead).toBe(false)
  })
})

describe('sending', () => {
  test('a draft is only saved; its Bcc stays with it', async () => {
    const draft = { ...form, draft: true, bcc: ['x@example.net'] as never[] }
    const { _id } = await sendMessage(app, who, mailbox.id, draft)
    const opened = await getMessage(app, who, mailbox.id, _id)
    expect(opened).toMatchObject({
      folder: 'drafts',
      bcc: [{ name: '', address: 'x@example.net' }],
    })
    expect(await app.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  test('an answer names what it answers, joins its thread and marks it answered', async () => {
    const id = await receive(plain('question'))
    await sendMessage(app, who, mailbox.id, { ...form, to: ['eve@example.net'], inReplyTo: id })
    const rows = await app.db
      .selectFrom('messages')
      .selectAll()
      .where('mailboxId', '=', mailbox.id)
      .orderBy('date')
      .orderBy('id')
      .execute()
    expect(rows[0]).toMatchObject({ id, isAnswered: true })
    expect(rows[1]).toMatchObject({
      threadId: rows[0]?.threadId,
      inReplyTo: 'question@example.net',
      references: ['question@example.net'],
      from: { name: 'Ada Lovelace', address: mailbox.email },
    })
    expect(await counts()).toMatchObject({ sent: [1, 0] })
    expect(
      await refusal(
        sendMessage(app, who, mailbox.id, { ...form, to: ['a@b.example'], inReplyTo: newId() }),
      ),
    ).toEqual(['NOT_EXISTS', {}])
  })

  test('recipients are checked one by one, and one is needed', async () => {
    const send = (to: string[]) => refusal(sendMessage(app, who, mailbox.id, { ...form, to }))
    expect(await send([])).toEqual(['VALIDATION', { to: 'Please enter at least one recipient' }])
    expect(await send(['a@example.net', 'b'])).toEqual([
      'VALIDATION',
      { 'to.1': 'Invalid email address' },
    ])
    expect(await send(['a@example.net\r\nBcc: x@y.example'])).toEqual([
      'VALIDATION',
      { 'to.0': 'Invalid email address' },
    ])
    expect(await counts()).toMatchObject({ sent: [0, 0] })
  })

  test('not from a mailbox that is suspended, nor from a domain never active or no longer ours', async () => {
    const send = () =>
      refusal(sendMessage(app, who, mailbox.id, { ...form, to: ['a@example.net'] }))
    const set = (change: object) =>
      app.db.updateTable('domains').set(change).where('id', '=', mailbox.domainId).execute()
    await set({ isActive: false })
    expect(await send()).toBe('nothing refused')
    await set({ isVerified: false })
    expect(await send()).toEqual(['DOMAIN_NOT_ACTIVE', {}])
    await set({ isVerified: true, activatedAt: null })
    expect(await send()).toEqual(['DOMAIN_NOT_ACTIVE', {}])
    await set({ activatedAt: app.clock.now() })
    for (const status of ['suspended', 'inactive'] as const) {
      await app.db.updateTable('mailboxes').set({ status }).where('id', '=', mailbox.id).execute()
      expect(await send()).toEqual(['MAILBOX_NOT_ACTIVE', {}])
    }
  })

  test('not beyond the quota', async () => {
    await limitStorage(app, who.workspaceId, 10)
    expect(
      await refusal(sendMessage(app, who, mailbox.id, { ...form, to: ['a@b.example'] })),
    ).toEqual(['STORAGE_FULL', {}])
  })
})

test('the sweep takes blobs that nothing refers to, a day later', async () => {
  const id = await receive(plain('kept'))
  const orphan = await app.blobs.put(Buffer.alloc(SMALL_BYTES + 1))
  expect(await sweepBlobs(app)).toBe(0)
  app.clock.set(new Date(Date.now() + 25 * 3_600_000))
  expect(await sweepBlobs(app)).toBeGreaterThan(0)
  await expect(app.blobs.get(orphan)).rejects.toThrow()
  expect((await getRawMessage(app, who, mailbox.id, id)).size).toBeGreaterThan(0)
})
