import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { newId } from '#server/lib/ids.ts'
import { up } from '#server/storage/migrations/0011-0020/0017-writing.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { suggestRecipients } from './contacts.ts'
import { sendMessage } from './send-message.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox

beforeAll(async () => {
  app = await anApp({ config: { sendLimit: 0, newRecipientLimit: 0 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, who.userId)
})

const write = (...to: string[]) =>
  sendMessage(app, who, mailbox.id, {
    ...{ to, cc: [], bcc: [], subject: 'Hi', text: 'Hello', attachments: [], draft: false },
  })
const hear = (from: string, isJunk = false) =>
  receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(
        `From: ${from}\r\nMessage-ID: <${newId()}@x>\r\nSubject: Hi\r\n\r\nHello\r\n`,
      ),
      ...{ mailFrom: 'x@example.net', authentication: null },
    },
    [
      {
        ...{ mailboxId: mailbox.id, workspaceId: who.workspaceId },
        ...(isJunk && { junk: { score: 9, isJunk, reasons: [] } }),
      },
    ],
  )
const ask = async (typed: string, as = who) =>
  (await suggestRecipients(app, as, mailbox.id, typed)).map(({ address }) => address)

test('those written to most, and last, come first; found by any beginning of name or address', async () => {
  await write('José Ávila <jose@old.example>')
  await write('jose@old.example')
  app.clock.advance({ days: 200 })
  await write('Joan Clarke <joan@new.example>')
  expect(await ask('jo')).toEqual(['joan@new.example', 'jose@old.example'])
  app.clock.advance({ days: 1 })
  for (let n = 0; n < 3; n += 1) await write('JOSE@old.example')
  expect(await ask('JO')).toEqual(['jose@old.example', 'joan@new.example'])
  expect(await ask('avila jos')).toEqual(['jose@old.example'])
  expect(await ask('old')).toEqual(['jose@old.example'])
  expect(await ask('joan@ne')).toEqual(['joan@new.example'])
  expect(await ask('oan')).toEqual([])
  // A name that was told once stays where it is not told again.
  expect(await suggestRecipients(app, who, mailbox.id, 'jose')).toEqual([
    { name: 'José Ávila', address: 'jose@old.example' },
  ])
})

test('who wrote lately is offered, not from Junk; signs mean themselves', async () => {
  await hear('"Eve, the 100%" <eve_x@example.net>')
  await hear('Mallory <mallory@example.net>', true)
  expect(await ask('ev')).toEqual(['eve_x@example.net'])
  expect(await ask('mal')).toEqual([])
  for (const signs of ['%', '_', '\\', "';--", '%%@', '*'])
    expect(await ask(signs), signs).toEqual([])
  expect(await ask('eve_x@')).toEqual(['eve_x@example.net'])
  expect(await ask('evexx@')).toEqual([])
})

test('colleagues are offered to those who may see them, and nobody of another workspace', async () => {
  const stranger = await aMailbox(app, { firstName: 'Zoe' })
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const zelda = await aMailbox(app, { domain, firstName: 'Zelda', lastName: 'Fitz' })
  expect(await ask('z')).toEqual([zelda.email])
  const user: Who = { ...who, role: 'User' }
  expect(await ask('z', user)).toEqual([])
  await letRead(app, zelda, who.userId)
  expect(await ask('z', user)).toEqual([zelda.email])
  await expect(suggestRecipients(app, who, stranger.id, 'z')).rejects.toThrow('Not found')
})

test('an installation that is updated offers whom its mailboxes have written to', async () => {
  await write('José Ávila <jose@old.example>', 'Bob <bob@old.example>')
  app.clock.advance({ days: 30 })
  await write('JOSE@old.example')
  const known = () =>
    app.db
      .selectFrom('contacts')
      .selectAll()
      .where('mailboxId', '=', mailbox.id)
      .orderBy('rank', 'desc')
      .execute()
  const before = await known()
  await sql`drop table uploads, drafts, sends, contacts`.execute(app.db)
  // As their keys were then.
  for (const table of ['messages', 'mailboxes'])
    await sql
      .raw(`alter table ${table} drop constraint ${table}_pkey cascade,
        add constraint ${table}_pkey primary key (id)`)
      .execute(app.db)
  // A migration knows no types of tables.
  await up(app.db as unknown as Kysely<unknown>)
  const close = (rank: number) => Math.round(rank * 1e6)
  const shown = (rows: typeof before) => rows.map((row) => ({ ...row, rank: close(row.rank) }))
  expect(shown(await known())).toEqual(shown(before))
  expect(before.map(({ address, times }) => [address, times])).toEqual([
    ['jose@old.example', 2],
    ['bob@old.example', 1],
  ])
})
