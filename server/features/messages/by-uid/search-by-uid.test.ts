import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailProgram, type MailProgram, noFlags } from '#test-world/mail/mail-program.ts'
import { END, MIXED, mail, part } from '#test-world/real-mail/mail-kind.ts'
import { changeFlags } from './change-flags.ts'
import type { Criteria } from './criteria.ts'
import type { FolderAt } from './in-folder.ts'
import { searchByUid } from './search-by-uid.ts'

let app: TestApp
let program: MailProgram
let inbox: FolderAt
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  program = await aMailProgram(app)
  inbox = await program.at('inbox')
})

const find = (criteria: Criteria, on = app) => searchByUid(on, program.who, inbox, criteria)
const body = (contains: string): Criteria => ({ in: 'body', contains })
const text = (contains: string): Criteria => ({ in: 'text', contains })
const header = (name: string, contains: string): Criteria => ({ header: name, contains })
const not = (criteria: Criteria): Criteria => ({ not: criteria })
/** Any reading of bytes fails. */
const withoutBytes = (): TestApp => {
  const fail = () => Promise.reject(new Error('bytes were read'))
  return { ...app, blobs: { ...app.blobs, get: fail, open: fail, range: fail } }
}

test('a text is found anywhere in a word, in any case of its letters, and words across spaces', async () => {
  await program.come(
    { subject: 'Heliograph', body: 'The Signalling station\r\nof the hill' },
    { subject: 'Other', body: 'Größe und ÜBERMUT' },
    { subject: 'Third', body: 'Cafe\u0301 au lait' },
  )
  const stored = withoutBytes()
  expect(await find(body('gnalLING'), stored)).toEqual([1])
  expect(await find(body('station of'), stored)).toEqual([1])
  expect(await find(body('größe'), stored)).toEqual([2])
  expect(await find(body('übermut'), stored)).toEqual([2])
  expect(await find(body('CAF\u00c9'), stored)).toEqual([3])
  expect(await find(body('grosse'), stored)).toEqual([])
  expect(await find(body(''), stored)).toEqual([1, 2, 3])
  expect(await find(text('eliograp'))).toEqual([1])
})

test('a text of the subject or of people is not in the body, unless it stands there, too', async () => {
  await program.come(
    { subject: 'Lantern' },
    { subject: 'Lantern', body: 'A lantern burns' },
    { subject: 'Other', body: 'written by eve@example.net' },
  )
  expect(await find(body('lantern'))).toEqual([2])
  expect(await find(not(body('lantern')))).toEqual([1, 3])
  expect(await find(body('eve@example'))).toEqual([3])
  expect(await find(text('lantern'))).toEqual([1, 2])
})

test('the fields of the header: those of rows, those of bytes, and whether there is one', async () => {
  await program.come(
    {
      ...{ subject: 'Plan B', from: 'Zoe Zimmer <zoe@example.org>', to: 'list@example.com' },
      ...{ messageId: 'plan-b@example.org' },
      headers: [
        'Cc: "Max, M." <max@example.org>',
        'X-Ticket: =?utf-8?q?Gr=C3=BCn?= 77',
        'List-Id: <a.b>',
      ],
    },
    { subject: '=?utf-8?q?Gr=C3=BC=C3=9Fe?=', headers: ['X-Ticket: 78'] },
  )
  const stored = withoutBytes()
  for (const [name, wanted, uids] of [
    ['from', 'ZIMMER <zoe@', [1]],
    ['from', '"zoe zimmer"', [1]],
    ['to', 'list@', [1]],
    ['cc', 'max, m.', [1]],
    ['cc', '', [1]],
    ['bcc', '', []],
    ['subject', 'lan', [1]],
    ['subject', 'GRÜSSE'.replace('SS', 'ß'), [2]],
    ['message-id', '<PLAN-B@example.org>', [1]],
    ['message-id', 'plan-b', [1]],
    ['list-id', '', [1]],
    ['list-post', 'x', []],
  ] as const)
    expect(await find(header(name, wanted), stored), `${name} ${wanted}`).toEqual(uids)
  expect(await find(header('x-ticket', ''))).toEqual([1, 2])
  expect(await find(header('x-ticket', '7'))).toEqual([1, 2])
  expect(await find(header('x-ticket', 'grün'))).toEqual([1])
  expect(await find(header('list-id', 'A.B'))).toEqual([1])
  expect(await find(header('x-none', ''))).toEqual([])
  expect(await find(not(header('x-ticket', '78')))).toEqual([1])
  expect(await find(text('x-ticket: 78'))).toEqual([2])
  expect(await find(not(text('78')))).toEqual([1])
})

test('an attached text is in the body, and its name is not', async () => {
  const raw = mail(
    { ...MIXED, Subject: 'Files' },
    part('Content-Type: text/plain', 'See there.'),
    part(
      'Content-Type: text/csv; name=harbour.csv\r\nContent-Disposition: attachment',
      'alpha;omega',
    ),
    END,
  )
  await program.append('inbox', raw)
  expect(await find(body('omega'))).toEqual([1])
  expect(await find(text('omega'))).toEqual([1])
  expect(await find(body('harbour'))).toEqual([])
  expect(await find(text('harbour'))).toEqual([1])
  expect(await find(body('see there'))).toEqual([1])
})

test('a text that was cut before it was stored is read to its end', async () => {
  const long = `${'word '.repeat(60_000)}\r\nthe very end`
  await program.come({ subject: 'Long', body: long }, { subject: 'Short' })
  expect(await find(body('very end'))).toEqual([1])
  expect(await find(body('nowhere to be seen'))).toEqual([])
})

test('a text without spaces is found where it was not stored', async () => {
  const long = '星月夜'.repeat(300)
  await program.come({ subject: 'Long', body: `${long}絵画` }, { subject: 'Other', body: '絵' })
  expect(await find(body('夜絵画'))).toEqual([1])
  expect(await find(text('夜絵画'))).toEqual([1])
  expect(await find(body('画絵'))).toEqual([])
})

test('days: of arrival, of saving, and of the header in its own zone', async () => {
  const dates = ['Fri, 31 Jan 2020 23:59:00 -1100', '1 Feb 2020 00:01 +1300', 'yesterday']
  for (const [n, date] of dates.entries())
    await program.append(
      'inbox',
      { subject: `${n}`, headers: [`Date: ${date}`] },
      {
        date: new Date(Date.UTC(2021, n, 1)),
      },
    )
  await program.append('inbox', { subject: 'None' }, { date: new Date('2022-01-01') })
  const day = (text: string) => new Date(`${text}T00:00:00Z`)
  const stored = withoutBytes()
  const ask = (criteria: Criteria) => find(criteria, stored)
  expect(await ask({ date: 'sent', from: day('2020-02-01') })).toEqual([2])
  expect(await ask({ date: 'sent', before: day('2020-02-01') })).toEqual([1])
  expect(await ask(not({ date: 'sent', before: day('2020-02-01') }))).toEqual([2, 3, 4])
  expect(await ask({ date: 'internal', from: day('2021-02-01') })).toEqual([2, 3, 4])
  expect(await ask({ date: 'internal', before: day('2021-02-01') })).toEqual([1])
  expect(await ask({ date: 'saved', before: day('2022-02-01') })).toEqual([])
  await app.db.deleteFrom('messageStructures').where('mailboxId', '=', inbox.mailboxId).execute()
  expect(await find({ date: 'sent', from: day('2020-02-01') })).toEqual([2])
})

test('flags, keywords, sizes, modseqs, ids and uids, joined by and, or and not', async () => {
  await program.come('1', '2', '3', { subject: '4', body: 'xxxx '.repeat(1_000) })
  await changeFlags(app, program.who, inbox, [1, 2], {
    ...{
      how: 'add',
      flags: { ...noFlags, isRead: true, keywords: ['$Work'] },
      unchangedSince: null,
    },
  })
  const [first, , third] = await program.rows('inbox')
  const read: Criteria = { flag: 'isRead' }
  const stored = withoutBytes()
  for (const [criteria, uids] of [
    [{ all: [] }, [1, 2, 3, 4]],
    [{ any: [] }, []],
    [read, [1, 2]],
    [not(read), [3, 4]],
    [not({ all: [read, not({ uids: [{ first: 2, last: 2 }] })] }), [2, 3, 4]],
    [{ keyword: '$WORK' }, [1, 2]],
    [{ largerThan: 4_000 }, [4]],
    [{ smallerThan: 4_000 }, [1, 2, 3]],
    [{ modseq: first?.modseq ?? 0 }, [1, 2]],
    [{ messageId: third?.id.toUpperCase() ?? '' }, [3]],
    [{ threadId: third?.threadId ?? '' }, [3]],
    [{ messageId: 'none' }, []],
    [{ uids: [] }, []],
    [
      {
        uids: [
          { first: 3, last: 90 },
          { first: 1, last: 1 },
        ],
      },
      [1, 3, 4],
    ],
    [
      {
        uids: [
          { first: 1, last: 4 },
          { first: 2, last: 2 },
        ],
      },
      [1, 2, 3, 4],
    ],
    [
      not({
        uids: [
          { first: 4, last: 4 },
          { first: 1, last: 2 },
        ],
      }),
      [3],
    ],
    [{ any: [{ all: [read, { uids: [{ first: 2, last: 9 }] }] }, { largerThan: 4_000 }] }, [2, 4]],
    [{ all: [body('xxx'), not(read)] }, [4]],
    [{ any: [body('xxx'), read] }, [1, 2, 4]],
  ] as [Criteria, number[]][])
    expect(await find(criteria, stored), JSON.stringify(criteria)).toEqual(uids)
})

test('bytes are read only where all else holds', async () => {
  await program.come(
    { subject: '1', headers: ['X-Kind: a'] },
    { subject: '2', headers: ['X-Kind: a'] },
  )
  await app.db
    .updateTable('messages')
    .set({ blob: '0'.repeat(64) })
    .where('mailboxId', '=', inbox.mailboxId)
    .where('uid', '=', 2)
    .execute()
  const kind = header('x-kind', 'a')
  const second: Criteria = { uids: [{ first: 2, last: 2 }] }
  const stored = withoutBytes()
  expect(await find({ any: [kind, { all: [] }] }, stored)).toEqual([1, 2])
  expect(await find({ all: [kind, { flag: 'isRead' }] }, stored)).toEqual([])
  // What is lost is found by nothing that its bytes would have to tell.
  expect(await find(kind)).toEqual([1])
  expect(await find({ all: [not(kind), second] })).toEqual([])
})

test('a search that asks for too much is refused, and one that nobody waits for ends', async () => {
  await program.come('1')
  const texts = { any: Array.from({ length: 31 }, (_, n) => body(`word ${n}`)) }
  await expect(find(texts)).rejects.toMatchObject({ type: 'VALIDATION' })
  const all = { any: Array.from({ length: 1_001 }, () => ({ flag: 'isRead' }) as const) }
  await expect(find(all)).rejects.toMatchObject({ type: 'VALIDATION' })
  const ended = await searchByUid(app, program.who, inbox, body('hello'), () => true)
  expect(ended).toEqual([])
})

test('only this folder is searched, and none of another mailbox', async () => {
  await program.come('Heliograph')
  const other = await aMailProgram(app)
  await other.come('Heliograph')
  await program.append('archive', { subject: 'Heliograph' })
  expect(await find(text('heliograph'))).toEqual([1])
  expect(await find(header('subject', 'heliograph'))).toEqual([1])
  for (const at of [inbox, { mailboxId: other.mailbox.id, folderId: inbox.folderId }])
    await expect(searchByUid(app, other.who, at, { all: [] })).rejects.toMatchObject({
      type: 'NOT_EXISTS',
    })
})

test('what is asked for is only text, whatever it looks like', async () => {
  await program.come({ subject: `100% _sure_ \\ it's`, body: `a%b_c\\d 'quoted' "twice"` })
  for (const wanted of ['%b_', 'c\\d', "'quoted'", '"twice"', 'b_c']) {
    expect(await find(body(wanted)), wanted).toEqual([1])
    expect(await find(body(`x${wanted}`)), wanted).toEqual([])
  }
  expect(await find(header('subject', "\\ it's"))).toEqual([1])
  expect(await find(body('a_b'))).toEqual([])
  expect((await sql`select 1 as one`.execute(app.db)).rows).toHaveLength(1)
})
