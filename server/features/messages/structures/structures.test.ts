import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { PIECE_BYTES } from '#server/lib/files/piece-sums.ts'
import { readStructure } from '#server/standards/mime/structure/read-structure.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { aMailReader } from '#test-world/members.ts'
import { mailsWithFiles } from '#test-world/real-mail/files.ts'
import { bytes, END, MIXED, mail, part } from '#test-world/real-mail/mail-kind.ts'
import { changeMessages } from '../change-messages.ts'
import { getAttachment, getMessage } from '../get-message.ts'
import { listMessages } from '../list-messages.ts'
import { searchMessages } from '../search/search-messages.ts'
import { fillStructures } from './fill-structures.ts'
import { readContent, readFields, readHeader, readRange, readStart } from './read-parts.ts'
import { type Structured, structureOf, structuresOf } from './structures.ts'
import type { FolderPlace } from './structures-store.ts'

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

const come = (raw: Buffer) =>
  receiveMessage(app, app.db, { raw, mailFrom: 'eve@example.net', authentication: null }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
const messages = () =>
  app.db
    .selectFrom('messages')
    .select(['id', 'uid', 'folderId', 'blob', 'sizeBytes'])
    .where('mailboxId', '=', mailbox.id)
    .orderBy('id')
    .execute()
const newest = async () => {
  const found = (await messages()).at(-1)
  if (found === undefined) throw new Error('no message')
  return found
}
const stored = () =>
  app.db.selectFrom('messageStructures').selectAll().where('mailboxId', '=', mailbox.id).execute()
const forget = () =>
  app.db.deleteFrom('messageStructures').where('mailboxId', '=', mailbox.id).execute()
const place = () => ({ workspaceId: mailbox.workspaceId, mailboxId: mailbox.id })
const inbox = async (): Promise<FolderPlace> => ({
  ...place(),
  folderId: (await newest()).folderId,
})
const collected = async (where: FolderPlace, uids: number[], on = app) => {
  const all: Structured[] = []
  for await (const some of structuresOf(on, where, uids)) all.push(...some)
  return all
}
/** Any reading of a whole blob fails. */
const withoutWholeBlobs = (): TestApp => {
  const fail = () => Promise.reject(new Error('a whole mail was read'))
  return { ...app, blobs: { ...app.blobs, get: fail, open: fail } }
}

const picture = Buffer.alloc(15_000_000, 'a picture of a harbour. ')
const base64 = bytes(picture.toString('base64').replace(/.{76}/g, '$&\r\n'))
const large = mail(
  { ...MIXED, 'List-Unsubscribe': '<https://list.example/leave>' },
  part('Content-Type: text/plain', 'Here it is.'),
  part('Content-Type: image/jpeg; name=harbour.jpg\r\nContent-Transfer-Encoding: base64', base64),
  part('Content-Type: text/csv; name=small.csv\r\nContent-Disposition: attachment', 'a;b\r\n1;2'),
  END,
)

test('the structure of each mail is written with it', async () => {
  for (const { raw } of mailsWithFiles) await come(raw)
  const all = await messages()
  const found = await collected(await inbox(), all.map(({ uid }) => uid).reverse())
  expect(found.map(({ uid }) => uid)).toEqual(all.map(({ uid }) => uid))
  expect(await stored()).toHaveLength(mailsWithFiles.length)
  for (const [n, { structure }] of found.entries())
    expect(structure).toEqual(readStructure(mailsWithFiles[n]?.raw ?? Buffer.alloc(0)))
})

test('only messages of that folder, mailbox and workspace are told', async () => {
  await come(large)
  const there = await inbox()
  const { uid } = await newest()
  const other = await aMailReader(app)
  expect(await collected(there, [uid, uid + 1])).toHaveLength(1)
  for (const wrong of [
    { workspaceId: other.mailbox.workspaceId },
    { mailboxId: other.mailbox.id },
    { folderId: other.mailbox.id },
  ])
    expect(await collected({ ...there, ...wrong }, [uid])).toEqual([])
})

test('one that is missing is read when it is asked for, and kept', async () => {
  await come(mail({}, 'Hello\r\n'))
  const written = await stored()
  await forget()
  const message = await newest()
  expect(await collected(await inbox(), [message.uid])).toMatchObject([{ id: message.id }])
  expect(await stored()).toEqual(written)
  await forget()
  expect((await structureOf(app, place(), message)).part).toMatchObject({ type: 'text' })
  expect(await stored()).toEqual(written)
})

test('lists, searches and opened messages do not read them', async () => {
  await come(mail({ Subject: 'Heliograph' }, 'Hello\r\n'))
  const { id } = await newest()
  await sql`alter table message_structures rename to hidden_structures`.execute(app.db)
  try {
    const list = await listMessages(app, who, mailbox.id, { folder: 'inbox', limit: 50 })
    expect(list.items).toMatchObject([{ subject: 'Heliograph' }])
    const found = await searchMessages(app, who, mailbox.id, { q: 'heliograph', limit: 50 })
    expect(found.items).toMatchObject([{ subject: 'Heliograph' }])
    expect(await getMessage(app, who, mailbox.id, id)).toMatchObject({ text: 'Hello\n' })
  } finally {
    await sql`alter table hidden_structures rename to message_structures`.execute(app.db)
  }
})

test('a mail whose bytes are lost is left out, and the others are told', async () => {
  for (const text of ['One', 'Two']) await come(mail({}, text))
  const [first, second] = await messages()
  await forget()
  await app.db
    .updateTable('messages')
    .set({ blob: '0'.repeat(64) })
    .where('id', '=', first?.id ?? '')
    .execute()
  const found = await collected(await inbox(), [first?.uid ?? 0, second?.uid ?? 0])
  expect(found.map(({ id }) => id)).toEqual([second?.id])
})

test('a move keeps it, and deleting for good removes it', async () => {
  for (const text of ['One', 'Two']) await come(mail({}, text))
  const [first, second] = await messages()
  const change = (changes: object) =>
    changeMessages(app, who, mailbox.id, { messageIds: [first?.id ?? ''], ...changes } as never)
  await change({ folder: 'trash' })
  expect((await stored()).map(({ messageId }) => messageId).toSorted()).toEqual([
    first?.id,
    second?.id,
  ])
  await app.db
    .deleteFrom('messages')
    .where('id', '=', first?.id ?? '')
    .execute()
  expect((await stored()).map(({ messageId }) => messageId)).toEqual([second?.id])
  await app.db.deleteFrom('mailboxes').where('id', '=', mailbox.id).execute()
  expect(await stored()).toEqual([])
})

test('header fields, header, ranges and parts are the bytes of the mail', async () => {
  for (const raw of [large, ...mailsWithFiles.map((kind) => kind.raw)]) {
    await come(raw)
    const message = await newest()
    const structure = await structureOf(app, place(), message)
    const { body } = structure.part
    expect(await readHeader(app, message, structure)).toEqual(raw.subarray(0, body))
    expect(await readRange(app, message, structure, { start: 5, end: 5 })).toHaveLength(0)
    const end = Math.min(raw.length, 3 * PIECE_BYTES + 7)
    expect(
      (await readRange(app, message, structure, { start: 3, end })).equals(raw.subarray(3, end)),
    ).toBe(true)
    const usual = await readFields(app, message, structure, new Set(['to', 'from']))
    expect(usual.toString()).toBe(
      'From: Sam Sender <sender@example.net>\r\nTo: ada@example.com\r\n',
    )
    const unusual = await readFields(app, message, structure, new Set(['to', 'x-nobody']))
    expect(unusual.toString()).toBe('To: ada@example.com\r\n')
    expect(await readFields(app, message, structure, new Set(['cc']))).toHaveLength(0)
  }
})

test('a part of a mail of 20 MB is read without the mail', async () => {
  await come(large)
  const message = await newest()
  const without = withoutWholeBlobs()
  const structure = await structureOf(without, place(), message)
  const [text, jpeg, csv] = structure.part.parts ?? []
  if (!text || !jpeg || !csv) throw new Error('parts are missing')
  const read = async (each: typeof text) =>
    readContent(without, message, structure, { part: each, by: who.workspaceId })
  expect(Buffer.from((await read(csv)) ?? []).toString()).toBe('a;b\r\n1;2')
  expect(Buffer.from((await read(text)) ?? []).toString()).toBe('Here it is.')
  expect(picture.equals((await read(jpeg)) ?? Buffer.alloc(0))).toBe(true)
  expect((await readStart(without, place(), message)).toString()).toContain('https://list.example')
  expect((await getAttachment(without, who, mailbox.id, message.id, 1)).content.toString()).toBe(
    'a;b\r\n1;2',
  )
})

test('the files of a large mail are the ones that it shows, whatever kind it is of', async () => {
  for (const { raw, files } of mailsWithFiles) {
    const filler = part('Content-Type: application/x-fill; name=fill', Buffer.alloc(600_000, 'x'))
    const end = raw.lastIndexOf(END)
    const isMixed = raw.includes('multipart/mixed; boundary=b\r\n') && end !== -1
    await come(isMixed ? Buffer.concat([raw.subarray(0, end), filler, bytes(END)]) : raw)
    const { id } = await newest()
    for (const [n, [filename, content]] of files.entries()) {
      const file = await getAttachment(app, who, mailbox.id, id, n)
      expect(file.filename).toBe(filename)
      expect(file.content.equals(content)).toBe(true)
    }
  }
})

test('a file behind an encoded message of a large mail is the one that is shown', async () => {
  const inner = mail(MIXED, part('Content-Type: text/csv; name=in.csv', 'inner'), END)
  await come(
    mail(
      MIXED,
      part(
        'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64',
        inner.toString('base64'),
      ),
      part('Content-Type: application/pdf; name=a.pdf', Buffer.alloc(600_000, 'x')),
      part('Content-Type: text/csv; name=out.csv\r\nContent-Disposition: attachment', 'outer'),
      END,
    ),
  )
  const { id } = await newest()
  const names = [1, 3].map(async (n) => (await getAttachment(app, who, mailbox.id, id, n)).filename)
  expect(await Promise.all(names)).toEqual(['in.csv', 'out.csv'])
})

const isFilling = async () =>
  (await app.db.selectFrom('structureFilling').selectAll().execute()).length > 0
const begin = async () => {
  await forget()
  await app.db
    .insertInto('structureFilling')
    .values({ below: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })
    .execute()
}

test('mail of before gets its structure in the background, newest first and in turns', async () => {
  for (let n = 0; n < 4; n++) await come(mail({}, Buffer.alloc(9_000_000, 'line of text\r\n')))
  await come(mail({}, 'The newest'))
  const written = await stored()
  const oldest = (await messages())[0]?.id
  await begin()
  await Promise.all([fillStructures(app), fillStructures(app)])
  const first = (await stored()).map(({ messageId }) => messageId)
  expect(first.toSorted()).toEqual(
    written
      .map(({ messageId }) => messageId)
      .filter((id) => id !== oldest)
      .toSorted(),
  )
  while (await isFilling()) await fillStructures(app)
  expect(new Set(await stored())).toEqual(new Set(written))
})

test('mail whose bytes are lost holds up no other', async () => {
  for (const text of ['One', 'Two']) await come(mail({}, text))
  const { id } = await newest()
  await app.db
    .updateTable('messages')
    .set({ blob: '0'.repeat(64) })
    .where('id', '=', id)
    .execute()
  await begin()
  while (await isFilling()) await fillStructures(app)
  expect(await stored()).toHaveLength(1)
})

test('a structure of an earlier version gets its texts without the bytes of the mail', async () => {
  for (const text of ['One', 'Two']) await come(mail({}, text))
  const written = await stored()
  await app.db
    .updateTable('messageStructures')
    .set({ envelope: null, bodyStructure: null })
    .where('mailboxId', '=', mailbox.id)
    .execute()
  await app.db
    .insertInto('structureFilling')
    .values({ below: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })
    .execute()
  // Of every mail the bytes are lost.
  const get = () => app.blobs.get('0'.repeat(64))
  const without = { ...app, blobs: { ...app.blobs, get } }
  while (await isFilling()) await fillStructures(without)
  expect(new Set(await stored())).toEqual(new Set(written))
})
