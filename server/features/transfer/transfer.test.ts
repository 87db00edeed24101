import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailImport } from '#contract/mail/transfer.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { sweepBlobs } from '#server/features/messages/blobs/sweep-blobs.ts'
import { getMessage } from '#server/features/messages/get-message.ts'
import { createFolder, deleteFolder } from '#server/features/messages/own-folders.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { setVacation } from '#server/features/vacation/edit-vacation.ts'
import { newId } from '#server/lib/ids.ts'
import { SMALL_BYTES } from '#server/storage/blobs/segment-blobs.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Domain, letRead, limitStorage, type Mailbox } from '#test-world/builders.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { cancelImport, listImports, resumeImport } from './edit-imports.ts'
import { getExport, makeExport, openExport } from './export-mail.ts'
import { purgeTransfers, runImports } from './run-imports.ts'
import { startImport, uploadPiece } from './upload-import.ts'

let app: TestApp
let who: Who
let domain: Domain
let ada: Mailbox
let grace: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  grace = await aMailbox(app, { domain, localPart: 'grace' })
  for (const mailbox of [ada, grace]) await letRead(app, mailbox, who.userId)
})

const rawOf = (n: number, body = 'Does it weave?'): Buffer =>
  Buffer.from(
    `From: p${n}@navy.example\r\nTo: x@y.example\r\nSubject: Number ${n}\r\nMessage-ID: <${n}.${newId()}@navy.example>\r\n\r\n${body}\r\n`,
    'latin1',
  )

const receive = async (raw: Buffer, mailbox = ada) => {
  app.clock.advance({ seconds: 1 })
  const { id: mailboxId, workspaceId } = mailbox
  const message = { raw, mailFrom: 'p@navy.example', authentication: null }
  await receiveMessage(app, app.db, message, [{ mailboxId, workspaceId }])
}

const exported = async (mailbox: Mailbox, folder?: string): Promise<Buffer> => {
  const { token } = await makeExport(app, who, mailbox.id, { folder })
  const pieces: Buffer[] = []
  for await (const piece of (await openExport(app, token)).content) pieces.push(piece)
  return Buffer.concat(pieces)
}

const begin = (file: Buffer, mailbox = ada, folder?: string) =>
  startImport(app, who, mailbox.id, {
    ...{ filename: 'mail.mbox', fingerprint: `${file.length}`, size: file.length, folder },
  })

const upload = async (file: Buffer, mailbox = ada, folder?: string): Promise<MailImport> => {
  let state = await begin(file, mailbox, folder)
  const step = Math.ceil(file.length / 3)
  while (state.received < file.length) {
    const bytes = file.subarray(state.received, state.received + step)
    state = await uploadPiece(app, who, mailbox.id, {
      ...{ importId: state._id, start: state.received, bytes },
    })
  }
  return state
}

const imported = async (file: Buffer, mailbox = ada, folder?: string): Promise<MailImport> => {
  await upload(file, mailbox, folder)
  await runImports(app)
  return (await listImports(app, who, mailbox.id))[0] as MailImport
}

const rows = async (mailbox: Mailbox) => {
  const found = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['blob', 'role', 'name', 'isRead', 'isStarred', 'isAnswered', 'date', 'mailFrom'])
    .where('messages.mailboxId', '=', mailbox.id)
    .orderBy('date')
    .orderBy('sizeBytes')
    .execute()
  return found.map(({ blob, ...row }) => ({ ...row, hash: hashIn(blob) }))
}

test('a mailbox that leaves comes back byte for byte, in its folders, with its flags and dates', async () => {
  const own = newId()
  await app.db
    .insertInto('folders')
    .values({
      ...{ id: own, mailboxId: ada.id, workspaceId: ada.workspaceId },
      ...{ role: null, name: 'Große Pläne' },
    })
    .execute()
  const bodies = [
    'From me\r\n>From you',
    '\r\n\r\nFrom a@b Thu Nov 19 09:00:00 2026\r\nTo: x',
    '\xff\xe4.',
  ]
  for (const [n, body] of bodies.entries()) await receive(rawOf(n, body))
  await receive(Buffer.from('Subject: no body\r\n'))
  await receive(rawOf(7, randomBytes(300_000).toString('base64').replace(/.{76}/g, '$&\r\n')))
  await receive(Buffer.from('no header at all\r\n'))
  const [first, second, third] = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', ada.id)
    .orderBy('date')
    .execute()
  const set = (id: string | undefined, change: object) =>
    app.db
      .updateTable('messages')
      .set(change)
      .where('id', '=', id ?? '')
      .execute()
  await set(first?.id, { isRead: true, isStarred: true })
  await set(second?.id, { isAnswered: true, folderId: own, uid: 1 })
  await set(third?.id, { isRead: true, isAnswered: true, isStarred: true })

  const file = await exported(ada)
  const done = await imported(file, grace)
  expect(done).toMatchObject({ state: 'done', filed: 6, skipped: 0, failed: 0, reason: '' })
  expect(await rows(grace)).toEqual(await rows(ada))
  expect(await exported(grace)).toEqual(file)

  // Once more: nothing is filed twice, and it is said.
  expect(await imported(file, grace)).toMatchObject({ state: 'done', filed: 0, skipped: 6 })
  expect(await rows(grace)).toHaveLength(6)
  const counted = await app.db
    .selectFrom('folders')
    .select(['name', 'messageCount', 'unreadCount'])
    .where('mailboxId', '=', grace.id)
    .where('messageCount', '>', 0)
    .orderBy('name')
    .execute()
  expect(counted).toEqual([
    { name: 'Große Pläne', messageCount: 1, unreadCount: 1 },
    { name: 'Inbox', messageCount: 5, unreadCount: 3 },
  ])
})

test('one folder leaves alone; a link is good once, for a minute, and for its reader', async () => {
  await receive(rawOf(1))
  expect((await exported(ada, 'sent')).length).toBe(0)
  expect((await exported(ada, 'inbox')).toString()).toContain('Subject: Number 1\n')
  const { token, _id, total } = await makeExport(app, who, ada.id, {})
  expect(total).toBe(1)
  const both = await Promise.allSettled([openExport(app, token), openExport(app, token)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const each of both)
    if (each.status === 'fulfilled') for await (const _piece of each.value.content);
  expect(await getExport(app, who, ada.id, _id)).toMatchObject({ state: 'done', written: 1 })

  const late = await makeExport(app, who, ada.id, {})
  app.clock.advance({ seconds: 61 })
  await expect(openExport(app, late.token)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const taken = await makeExport(app, who, ada.id, {})
  await app.db.deleteFrom('mailboxReaders').where('mailboxId', '=', ada.id).execute()
  await expect(openExport(app, taken.token)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  await expect(makeExport(app, who, ada.id, {})).rejects.toMatchObject({ type: 'FORBIDDEN' })
})

test('a download that breaks off is told as failed', async () => {
  for (const n of [1, 2, 3]) await receive(rawOf(n))
  const { token, _id } = await makeExport(app, who, ada.id, {})
  for await (const _piece of (await openExport(app, token)).content) break
  expect(await getExport(app, who, ada.id, _id)).toMatchObject({ state: 'failed', total: 3 })
})

test('a download breaks off when its folder, its mailbox or the right to read it goes meanwhile', async () => {
  const { _id: folder } = await createFolder(app, who, ada.id, 'To do')
  await upload(fileOf(101), ada, folder)
  await runImports(app)
  const breaksOff = async (asked: { folder?: string }, go: () => Promise<unknown>) => {
    const { token } = await makeExport(app, who, ada.id, asked)
    const { content } = await openExport(app, token)
    await content.next()
    await go()
    const read = async () => {
      for await (const _piece of content);
    }
    await expect(read()).rejects.toThrow('gone')
  }
  const changeRights = (set: object) => app.db.updateTable('mailboxReaders').set(set).execute()
  await breaksOff({}, () => changeRights({ endsAt: app.clock.now() }))
  await changeRights({ endsAt: null })
  await breaksOff({ folder }, () => deleteFolder(app, who, ada.id, folder))
  await breaksOff({}, () => deleteMailbox(app, who, ada.id))
})

const fileOf = (count: number, from = 0) =>
  Buffer.concat(
    Array.from({ length: count }, (_, n) =>
      Buffer.from(
        `From p@navy.example Thu Nov 19 09:00:00 2026\n${rawOf(from + n)
          .toString()
          .replaceAll('\r\n', '\n')}\n`,
      ),
    ),
  )

test('an upload goes on where it stopped, and takes each piece once', async () => {
  const file = fileOf(30)
  const first = await begin(file)
  const piece = (start: number, end: number) =>
    uploadPiece(app, who, ada.id, { importId: first._id, start, bytes: file.subarray(start, end) })
  expect(await piece(0, 1000)).toMatchObject({ received: 1000 })
  // Its answer was lost, so it comes again; one comes too early, and two come at once.
  expect(await piece(0, 1000)).toMatchObject({ received: 1000 })
  expect(await piece(3000, 4000)).toMatchObject({ received: 1000 })
  await Promise.all([piece(1000, 2000), piece(1000, 2000), piece(1000, 2000)])
  expect(await begin(file)).toMatchObject({ _id: first._id, received: 2000, state: 'uploading' })
  await expect(begin(fileOf(31))).rejects.toMatchObject({ type: 'IMPORT_OPEN' })
  await expect(
    uploadPiece(app, who, ada.id, {
      ...{ importId: first._id, start: 2000, bytes: Buffer.alloc(file.length) },
    }),
  ).rejects.toMatchObject({ type: 'VALIDATION' })
  expect(await imported(file)).toMatchObject({ _id: first._id, state: 'done', filed: 30 })
  expect(await app.db.selectFrom('mailImportChunks').selectAll().execute()).toEqual([])
})

test('whoever dies on the way leaves the rest for the next, and many at once file each message once', async () => {
  await upload(fileOf(170))
  let puts = 0
  const dying = {
    ...app.blobs,
    put: (bytes: Uint8Array) =>
      ++puts > 70 ? Promise.reject(new Error('killed')) : app.blobs.put(bytes),
  }
  await expect(runImports({ ...app, blobs: dying })).rejects.toThrow('killed')
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({ state: 'running', filed: 50 })
  // Nobody knows that it is dead until its lease is over.
  await runImports(app)
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({ filed: 50 })
  app.clock.advance({ seconds: 31 })
  let looks = 0
  await runImports(app, () => ++looks > 1)
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({ filed: 100 })
  await Promise.all([runImports(app), runImports(app), runImports(app)])
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({
    state: 'done',
    filed: 170,
    skipped: 0,
  })
  expect(await rows(ada)).toHaveLength(170)
})

test('a worker that lost its lease files nothing more', async () => {
  await upload(fileOf(120))
  let isTaken = false
  const slow = {
    ...app.blobs,
    put: async (bytes: Uint8Array) => {
      if (!isTaken) {
        isTaken = true
        app.clock.advance({ seconds: 31 })
        await runImports(app)
      }
      return app.blobs.put(bytes)
    },
  }
  await runImports({ ...app, blobs: slow })
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({
    state: 'done',
    filed: 120,
    skipped: 0,
  })
  expect(await rows(ada)).toHaveLength(120)
})

test('a chosen folder takes all; labels of Gmail and flags of others are understood', async () => {
  const message = (n: number, fields: string) =>
    `From x@y.example Thu Nov 19 09:00:00 2026\nSubject: ${n}\nDate: Fri, 2${n} Nov 2020 10:00:00 +0000\n${fields}\n\nx\n\n`
  const file = Buffer.from(
    [
      message(0, 'X-Gmail-Labels: Inbox,Unread,Starred'),
      message(1, 'X-Gmail-Labels: Bills,Opened'),
      message(2, 'Status: RO\nX-Status: A'),
      message(3, 'X-Mozilla-Status: 0008'),
    ].join(''),
  )
  expect(await imported(file)).toMatchObject({ filed: 3, skipped: 1 })
  expect(await rows(ada)).toMatchObject([
    { role: 'inbox', isRead: false, isStarred: true, date: new Date('2020-11-20T10:00:00Z') },
    { role: null, name: 'Bills', isRead: true },
    { role: 'archive', isRead: true, isAnswered: true },
  ])
  await imported(file, grace, 'trash')
  expect((await rows(grace)).map(({ role }) => role)).toEqual(['trash', 'trash', 'trash'])
})

test('old mail is neither judged nor answered', async () => {
  await setVacation(app, who, ada.id, {
    ...{ isOn: true, firstDay: '', lastDay: '', timeZone: 'UTC', subject: '', text: 'Away' },
  })
  const file = fileOf(1).toString().replace('x@y.example', ada.email)
  expect(await imported(Buffer.from(file), ada, 'inbox')).toMatchObject({ filed: 1 })
  expect(await app.db.selectFrom('vacationDues').selectAll().execute()).toEqual([])
})

test('what cannot be filed is counted and named, and the rest comes in', async () => {
  const file = Buffer.concat([
    fileOf(2),
    Buffer.from('From a@b.example Thu Nov 19 09:00:00 2026\n \nno header\n\n'),
    fileOf(1, 2),
    Buffer.from('From a@b.example Thu Nov 19 09:00:00 2026\nSubject: Bytes\n\n\0\n\n'),
    Buffer.from('From a\0@b.example Thu Nov 19 09:00:00 2026\nSubject: Sender\n\nx\n\n'),
    fileOf(1, 3),
  ])
  expect(await imported(file)).toMatchObject({
    ...{ state: 'done', filed: 5, failed: 2 },
    faults: [
      { n: 3, subject: '', reason: 'It has no header, so it is no message' },
      { n: 5, subject: 'Bytes', reason: 'It holds bytes that no mail may have' },
    ],
  })
  const zip = Buffer.from('PK\x03\x04 and so on')
  await expect(upload(zip)).rejects.toMatchObject({
    data: { file: expect.stringContaining('not an mbox') },
  })
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({ state: 'cancelled' })
})

test('a message with a subject of megabytes is filed as it came, and read with the start of it', async () => {
  const before = `From: Grace <g@navy.example>\r\nSubject: Long ${'x'.repeat(2_000_000)}\r\n`
  const after = `Status: RO\r\nTo: x@y.example\r\n`
  const raw = `${before}${after}\r\nDoes it weave?\r\n`
  const file = Buffer.from(`From a@b.example Thu Nov 19 09:00:00 2026\r\n${raw}\r\n`)
  expect(await imported(file)).toMatchObject({ state: 'done', filed: 1, failed: 0 })
  const row = await app.db
    .selectFrom('messages')
    .select(['id', 'subject', 'from', 'to', 'isRead', 'blob'])
    .where('mailboxId', '=', ada.id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    from: { name: 'Grace' },
    to: [{ address: 'x@y.example' }],
    isRead: true,
  })
  expect(row.subject).toMatch(/^Long x{800,895}$/)
  expect((await app.blobs.get(row.blob)).toString()).toBe(raw)
  const opened = await getMessage(app, who, ada.id, row.id)
  expect(opened.text.trim()).toBe('Does it weave?')
  expect(opened.isSource).toBe(false)
})

const quota = (bytes: number) => limitStorage(app, who.workspaceId, bytes)

test('a full workspace takes no file, and stops one that is on its way until there is room', async () => {
  const file = fileOf(60)
  await quota(file.length - 1)
  await expect(begin(file)).rejects.toMatchObject({ type: 'STORAGE_FULL' })
  await quota(file.length + 100)
  await begin(file, grace)
  await expect(begin(file)).rejects.toMatchObject({ type: 'STORAGE_FULL' })
  await upload(file, grace)
  await quota(file.length / 2)
  await runImports(app)
  const [stopped] = await listImports(app, who, grace.id)
  expect(stopped).toMatchObject({
    state: 'stopped',
    reason: 'The storage of the workspace is full',
  })
  await quota(1_000_000)
  await resumeImport(app, who, grace.id, stopped?._id ?? '')
  await runImports(app)
  expect((await listImports(app, who, grace.id))[0]).toMatchObject({ state: 'done', filed: 60 })
})

test('an import that fails is tried again for ten minutes, then stops until somebody lets it go on', async () => {
  const file = fileOf(3)
  await upload(file)
  const state = async () => (await listImports(app, who, ada.id))[0]
  const { blob } = await app.db
    .selectFrom('mailImportChunks')
    .select('blob')
    .where('mailboxId', '=', ada.id)
    .where('startByte', '=', 0)
    .executeTakeFirstOrThrow()
  const missing = 'a'.repeat(64)
  const nameBlob = (from: string, to: string) =>
    app.db.updateTable('mailImportChunks').set({ blob: to }).where('blob', '=', from).execute()
  await nameBlob(blob, missing)
  await expect(runImports(app)).rejects.toThrow(`blob ${missing} is missing`)
  expect(await state()).toMatchObject({ state: 'running' })
  app.clock.advance({ minutes: 11 })
  await expect(runImports(app)).rejects.toThrow(`blob ${missing} is missing`)
  expect(await state()).toMatchObject({
    state: 'stopped',
    reason: 'It failed for 10 minutes, and the log of the server says why',
  })
  await runImports(app)
  await nameBlob(missing, blob)
  await resumeImport(app, who, ada.id, (await state())?._id ?? '')
  await runImports(app)
  expect(await state()).toMatchObject({ state: 'done', filed: 3 })
})

test('what was uploaded and cancelled is on disk for a day, and counts for as long', async () => {
  const file = fileOf(20)
  await quota(file.length + 100)
  const { _id } = await begin(file)
  await uploadPiece(app, who, ada.id, { importId: _id, start: 0, bytes: file.subarray(0, 200) })
  await cancelImport(app, who, ada.id, _id)
  await expect(begin(file, grace)).rejects.toMatchObject({
    ...{ type: 'STORAGE_FULL' },
    message: 'Too much was uploaded and cancelled today: try again tomorrow',
  })
  app.clock.advance({ hours: 25 })
  await begin(file, grace)
})

test('imports that begin at once in many mailboxes have the room of one', async () => {
  const file = fileOf(10)
  await quota(file.length + 100)
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
    return rows.length
  }
  let begun: Promise<PromiseSettledResult<MailImport>[]> = Promise.resolve([])
  await app.db.transaction().execute(async (tx) => {
    const mailboxes = tx.selectFrom('mailboxes').select('id').where('id', 'in', [ada.id, grace.id])
    await mailboxes.forUpdate().execute()
    begun = Promise.allSettled([begin(file, ada), begin(file, grace)])
    await expect.poll(waiting).toBe(2)
  })
  expect((await begun).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('an import that is ended keeps what is filed, and its file goes; one that is forgotten ends', async () => {
  app.clock.catchUp()
  const { _id } = await upload(fileOf(120))
  let looks = 0
  await runImports(app, () => ++looks > 1)
  await cancelImport(app, who, ada.id, _id)
  await runImports(app)
  expect((await listImports(app, who, ada.id))[0]).toMatchObject({ state: 'cancelled', filed: 50 })
  // Large enough to be a file.
  const file = Buffer.concat([fileOf(10), Buffer.alloc(SMALL_BYTES * 2, 'x')])
  const bytes = file.subarray(0, SMALL_BYTES + 1)
  const left = await begin(file)
  await uploadPiece(app, who, ada.id, { importId: left._id, start: 0, bytes })
  const chunks = () => app.db.selectFrom('mailImportChunks').select('blob').execute()
  const [chunk] = await chunks()
  app.clock.advance({ days: 6 })
  await purgeTransfers(app)
  await sweepBlobs(app)
  expect((await app.blobs.get(chunk?.blob ?? '')).length).toBe(bytes.length)
  app.clock.advance({ days: 2 })
  await purgeTransfers(app)
  expect(await chunks()).toEqual([])
  await sweepBlobs(app)
  await expect(app.blobs.get(chunk?.blob ?? '')).rejects.toThrow()
})

test('only who reads the mailbox moves its mail', async () => {
  const { _id } = await begin(fileOf(1))
  const stranger = await aMember(app)
  const admin: Who = { ...who, userId: newId() }
  for (const [caller, type] of [
    [stranger, 'NOT_EXISTS'],
    [admin, 'FORBIDDEN'],
  ] as const)
    for (const refused of [
      () => listImports(app, caller, ada.id),
      () => cancelImport(app, caller, ada.id, _id),
      () => startImport(app, caller, ada.id, { filename: 'x', fingerprint: '', size: 1 }),
      () => uploadPiece(app, caller, ada.id, { importId: _id, start: 0, bytes: Buffer.alloc(1) }),
      () => makeExport(app, caller, ada.id, {}),
    ])
      await expect(refused()).rejects.toMatchObject({ type })
})
