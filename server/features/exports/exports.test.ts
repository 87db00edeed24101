/** Everything of a workspace as one file: what is in it, who may have it, and what becomes of it when something goes wrong. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { listAllEntries } from '#server/features/mailboxes/access/access-log.ts'
import { markMailbox } from '#server/features/mailboxes/deleted-queries.ts'
import { createFolder } from '#server/features/messages/own-folders.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { readMbox } from '#server/standards/mbox/read-mbox.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { readZip } from '#test-world/read-zip.ts'
import {
  askForExport,
  linkToExport,
  listExports,
  openExportFile,
  removeExport,
} from './ask-export.ts'
import { accountTables, exportedTables, leftOutTables, wordsOf } from './exported-tables.ts'
import { purgeExports, runExports } from './run-exports.ts'

const password = 'Engine-No-1!'

let app: TestApp
let who: Who
let domain: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  const passwordHash = await hashPassword(password, 'test')
  await app.db.updateTable('users').set({ passwordHash }).where('id', '=', who.userId).execute()
  await app.db
    .updateTable('workspaces')
    .set({ name: 'Engines' })
    .where('id', '=', who.workspaceId)
    .execute()
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, ada, who.userId)
})

const receive = (mailbox: Mailbox, subject: string) =>
  receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(letterText({ subject, body: 'Hello.' })),
      mailFrom: 'eve@example.net',
      authentication: null,
    },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )
const ask = (as = who) => askForExport(app, as, { password })
const fetched = async (id: string, as = who) => {
  const { token } = await linkToExport(app, as, id)
  const file = await openExportFile(app, token)
  return { ...file, token, content: await buffer(file.content.pieces()) }
}
const filesIn = () => readdir(join(app.config.dataDir, 'exports')).catch(() => [])

test('every table and column of a workspace is written, or left out with a reason', async () => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' group by 1 having bool_or(column_name = 'workspace_id')`.execute(
    app.db,
  )
  const leftOut = Object.values(leftOutTables).flat()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(exportedTables), ...leftOut].toSorted(),
  )
  for (const { name, columns } of rows.filter((row) => !leftOut.includes(row.name))) {
    const { columns: written = '', without = '' } = exportedTables[name] ?? {}
    const decided = ['workspace_id', ...wordsOf(written), ...wordsOf(without)]
    expect([name, decided.toSorted()]).toEqual([name, columns.toSorted()])
    expect(
      wordsOf(written).filter((column) => /hash|secret|sealed|token|blob/.test(column)),
    ).toEqual([])
  }
})

test('so is every table and column of an account', async () => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' group by 1 having bool_or(column_name = 'user_id')`.execute(
    app.db,
  )
  const decided = Object.entries(accountTables).map(([name, { columns, without }]) => [
    name,
    ['user_id', ...wordsOf(columns), ...wordsOf(without)].toSorted(),
  ])
  expect(Object.fromEntries(decided)).toEqual(
    Object.fromEntries(rows.map(({ name, columns }) => [name, columns.toSorted()])),
  )
})

test('has everything of this workspace and nothing of another, with counts and sums', async () => {
  const unpaid = await aMailbox(app, { domain, localPart: 'unpaid', status: 'inactive' })
  await payForMailboxes(app, who, [unpaid.id], null)
  await createFolder(app, who, ada.id, 'Letters/Old')
  for (const subject of ['One', 'Two']) await receive(ada, subject)
  await app.db
    .updateTable('messages')
    .set({ isRead: true, isStarred: true })
    .where('mailboxId', '=', ada.id)
    .where('subject', '=', 'Two')
    .execute()
  await app.db
    .updateTable('mailboxes')
    .set({ lastName: '=cmd|calc' })
    .where('id', '=', ada.id)
    .execute()
  const stranger = await aMember(app)
  const theirs = await aMailbox(app, {
    domain: await anActiveDomain(app, stranger),
    localPart: 'bob',
  })
  await receive(theirs, 'Not yours')

  const { _id } = await ask()
  await runExports(app)
  const [made] = await listExports(app, who)
  expect(made).toMatchObject({ _id, state: 'done', messages: 2, written: 2, reason: '' })
  const { content, filename } = await fetched(_id)
  expect(content).toHaveLength(made?.size ?? 0)
  expect(filename).toMatch(/^Engines \d{4}-\d\d-\d\d\.zip$/)
  const files = readZip(content)
  const text = (name: string) => String(files.get(name))
  const manifest = JSON.parse(text('manifest.json'))
  expect(manifest).toMatchObject({
    workspace: { id: who.workspaceId, name: 'Engines' },
    counts: { domains: 1, mailboxes: 2, people: 1, invoices: 1, invoices_as_pdf: 1, messages: 2 },
  })
  expect(manifest.mailboxes).toEqual([
    { email: ada.email, file: `mail/${ada.email}.mbox`, messages: 2, lost: [] },
    { email: unpaid.email, file: `mail/${unpaid.email}.mbox`, messages: 0, lost: [] },
  ])
  expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual(
    [...files.keys()].filter((name) => name !== 'manifest.json'),
  )
  for (const { name, bytes, sha256 } of manifest.files) {
    expect(files.get(name)).toHaveLength(bytes)
    expect(
      createHash('sha256')
        .update(files.get(name) ?? '')
        .digest('hex'),
    ).toBe(sha256)
  }
  const pieces = async function* () {
    yield files.get(`mail/${ada.email}.mbox`) ?? Buffer.alloc(0)
  }
  const entries = await Array.fromAsync(readMbox(pieces(), { startByte: 0, maxBytes: 1e6 }))
  expect(entries).toHaveLength(2)
  expect(text(`mail/${ada.email}.mbox`)).toMatch(
    /X-Mailstead-Folder: inbox\nStatus: RO\nX-Status: F\n[\s\S]*Subject: Two/,
  )
  expect(JSON.parse(text('lists/domains.json'))).toMatchObject([{ name: domain.name }])
  expect(JSON.parse(text('lists/folders.json'))).toContainEqual(
    expect.objectContaining({ name: 'Letters/Old', mailbox_id: ada.id }),
  )
  expect(text('lists/mailboxes.csv')).toContain("'=cmd|calc")
  expect([...files.keys()].filter((name) => name.startsWith('invoices/'))).toHaveLength(1)
  for (const foreign of [theirs.email, 'Not yours', 'private_key_sealed', 'password_hash'])
    expect([...files.values()].some((file) => file.includes(foreign))).toBe(false)
})

test('asks for the password, tells the other Admins and the access log of each mailbox', async () => {
  await expect(askForExport(app, who, { password: 'Engine-No-2!' })).rejects.toMatchObject({
    data: { password: 'The password is not right' },
  })
  const { email } = await app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', who.userId)
    .executeTakeFirstOrThrow()
  const other = await aUser(app, { email: 'grace@elsewhere.example' })
  await app.db
    .insertInto('members')
    .values({
      ...{ workspaceId: who.workspaceId, userId: other.id, role: 'Admin' },
      createdAt: app.clock.now(),
    })
    .execute()
  await ask()
  const mailed = async () =>
    (await listHeldMails(app)).filter(({ to }) => to === 'grace@elsewhere.example' || to === email)
  expect(await mailed()).toMatchObject([
    {
      to: 'grace@elsewhere.example',
      subject: 'Everything in your Mailstead workspace is being exported',
    },
  ])
  const { items } = await listAllEntries(app, who, { limit: 10 })
  expect(items).toMatchObject([{ kind: 'exported', mailbox: ada.email }])
  await runExports(app)
  expect(await mailed()).toContainEqual(
    expect.objectContaining({
      ...{ to: email, subject: 'Your Mailstead export is ready' },
      link: 'http://localhost:8080/dashboard/settings',
    }),
  )
})

test('one statement counts the messages of all mailboxes, and none does for who may not ask', async () => {
  const bob = await aMailbox(app, { domain, localPart: 'bob' })
  for (const mailbox of [ada, ada, bob]) await receive(mailbox, 'One')
  await markMailbox(app.db, bob, { endsAt: secondsAfter(app.clock.now(), 60), deletedBy: 'Ada' })
  let counts = 0
  const db = app.db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('"name":"folders"')) counts++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { messages, _id } = await askForExport({ ...app, db }, who, { password })
  expect({ messages, counts }).toEqual({ messages: 3, counts: 1 })
  await removeExport(app, who, _id)
  await app.db
    .updateTable('members')
    .set({ role: 'Editor' })
    .where('userId', '=', who.userId)
    .execute()
  await expect(askForExport({ ...app, db }, who, { password })).rejects.toMatchObject({
    type: 'FORBIDDEN',
  })
  expect(counts).toBe(1)
})

test('one at a time, five a day, and one file is kept for seven days', async () => {
  const first = await ask()
  await expect(ask()).rejects.toMatchObject({ type: 'EXPORT_OPEN' })
  await runExports(app)
  for (let n = 0; n < 3; n++) {
    await ask()
    await runExports(app)
  }
  const last = await ask()
  await runExports(app)
  await expect(ask()).rejects.toMatchObject({ type: 'TOO_MANY_REQUESTS' })
  expect((await listExports(app, who)).map(({ _id }) => _id)).toEqual([last._id])
  await expect(linkToExport(app, who, first._id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  app.clock.advance({ days: 6, hours: 23 })
  await purgeExports(app)
  expect(await filesIn()).toContain(`${last._id}.zip`)
  expect(await filesIn()).not.toContain(`${first._id}.zip`)
  app.clock.advance({ hours: 2 })
  await expect(linkToExport(app, who, last._id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  await purgeExports(app)
  expect(await filesIn()).not.toContain(`${last._id}.zip`)
  expect(await listExports(app, who)).toEqual([])
  // Of a workspace that ended meanwhile.
  const orphan = join(app.config.dataDir, 'exports', `${newId()}.zip`)
  await writeFile(orphan, 'mail')
  await utimes(orphan, app.clock.now(), app.clock.now())
  await purgeExports(app)
  expect(await filesIn()).toContain(basename(orphan))
  app.clock.advance({ hours: 2 })
  await purgeExports(app)
  expect(await filesIn()).not.toContain(basename(orphan))
})

test('a link works once, for a minute, and only for who is still an Admin', async () => {
  const { _id } = await ask()
  await runExports(app)
  const stranger = await aMember(app)
  await expect(linkToExport(app, stranger, _id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const { token } = await fetched(_id)
  await expect(openExportFile(app, token)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const late = await linkToExport(app, who, _id)
  app.clock.advance({ seconds: 61 })
  await expect(openExportFile(app, late.token)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const { token: demoted } = await linkToExport(app, who, _id)
  await app.db
    .updateTable('members')
    .set({ role: 'Editor' })
    .where('userId', '=', who.userId)
    .execute()
  await expect(openExportFile(app, demoted)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})

test('deleted while it is made, nothing of it is left; left by a worker, it is made anew', async () => {
  await receive(ada, 'One')
  const deleted = await ask()
  const blobs = { ...app.blobs, open: app.blobs.open }
  blobs.open = async (name) => {
    await removeExport(app, who, deleted._id)
    return app.blobs.open(name)
  }
  await runExports({ ...app, blobs })
  expect(await listExports(app, who)).toEqual([])
  expect((await filesIn()).filter((name) => name.startsWith(deleted._id))).toEqual([])

  const left = await ask()
  await app.db
    .updateTable('workspaceExports')
    .set({ state: 'running', tries: 1, claimedUntil: secondsAfter(app.clock.now(), 100) })
    .where('id', '=', left._id)
    .execute()
  await runExports(app)
  expect(await listExports(app, who)).toMatchObject([{ state: 'running' }])
  app.clock.advance({ seconds: 101 })
  await runExports(app)
  expect(await listExports(app, who)).toMatchObject([{ state: 'done', written: 1 }])

  // By a worker whose clock was a day ahead.
  const ahead = await ask()
  await app.db
    .updateTable('workspaceExports')
    .set({ state: 'running', claimedUntil: secondsAfter(app.clock.now(), 86_400) })
    .where('id', '=', ahead._id)
    .execute()
  await runExports(app)
  expect(await listExports(app, who)).toMatchObject([{ _id: ahead._id, state: 'done' }])
})

test('a file is opened when it is read: one that went meanwhile breaks off that download alone', async () => {
  const { _id } = await ask()
  await runExports(app)
  const { token } = await linkToExport(app, who, _id)
  const { content } = await openExportFile(app, token)
  await removeExport(app, who, _id)
  await expect(buffer(content.pieces())).rejects.toMatchObject({ code: 'ENOENT' })
})

test('what a killed worker left of a file goes before the next try, or within hours', async () => {
  await receive(ada, 'One')
  const { _id } = await ask()
  const partOf = async (tries: number) => {
    const path = join(app.config.dataDir, 'exports', `${_id}.zip.${tries}.part`)
    await writeFile(path, 'mail')
    await utimes(path, app.clock.now(), app.clock.now())
    return basename(path)
  }
  const ofThis = async () => (await filesIn()).filter((name) => name.startsWith(_id))
  await mkdir(join(app.config.dataDir, 'exports'), { recursive: true })
  await partOf(1)
  const killed = { state: 'running' as const, tries: 1, claimedUntil: app.clock.now() }
  await app.db.updateTable('workspaceExports').set(killed).where('id', '=', _id).execute()
  const during: string[][] = []
  const blobs = { ...app.blobs, open: app.blobs.open }
  blobs.open = async (name) => {
    during.push(await ofThis())
    return app.blobs.open(name)
  }
  await runExports({ ...app, blobs })
  expect(during).toHaveLength(1)
  expect(during.flat()).not.toContain(`${_id}.zip.1.part`)
  expect(await ofThis()).toEqual([`${_id}.zip`])

  const late = await partOf(3)
  await purgeExports(app)
  expect(await ofThis()).toContain(late)
  app.clock.advance({ hours: 2 })
  await purgeExports(app)
  expect(await ofThis()).toEqual([`${_id}.zip`])
})

test('given up when three workers were killed over it; a process that ends in order takes no try', async () => {
  await receive(ada, 'One')
  const { _id } = await ask()
  let looks = 0
  for (let n = 0; n < 4; n++) {
    looks = 0
    await runExports(app, () => looks++ > 0)
  }
  expect(await listExports(app, who)).toMatchObject([{ _id, state: 'running' }])
  const killed = { state: 'running' as const, tries: 3, claimedUntil: app.clock.now() }
  await app.db.updateTable('workspaceExports').set(killed).where('id', '=', _id).execute()
  await runExports(app)
  expect(await listExports(app, who)).toMatchObject([
    { state: 'failed', reason: 'It failed several times. The log of the server says why' },
  ])
})

test('a message whose bytes are lost is named and left out; another fault fails it after three tries', async () => {
  await receive(ada, 'One')
  await receive(ada, 'Two')
  const { rows } = await sql<{ id: string }>`
    update messages set blob = ${'0'.repeat(64)} where subject = 'One' and mailbox_id = ${ada.id} returning id`.execute(
    app.db,
  )
  const { _id } = await ask()
  await runExports(app)
  const manifest = JSON.parse(String(readZip((await fetched(_id)).content).get('manifest.json')))
  expect(manifest.mailboxes).toMatchObject([{ messages: 1, lost: rows.map(({ id }) => id) }])

  app.clock.advance({ minutes: 1 })
  await ask()
  const blobs = { ...app.blobs, open: () => Promise.reject(new Error('the disk is broken')) }
  for (let n = 0; n < 3; n++) {
    await expect(runExports({ ...app, blobs })).rejects.toThrow('the disk is broken')
    app.clock.advance({ minutes: 3 })
  }
  const [failed] = await listExports(app, who)
  expect(failed).toMatchObject({
    state: 'failed',
    reason: 'It failed several times. The log of the server says why',
  })
  expect((await listHeldMails(app)).map(({ subject }) => subject)).toContain(
    'Your Mailstead export could not be made',
  )
})
