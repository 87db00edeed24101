import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Letter } from '#test-world/mail/letter.ts'
import { aMailProgram, type MailProgram } from '#test-world/mail/mail-program.ts'
import type { FolderAt } from './in-folder.ts'
import { type Order, orderByUid, threadByUid } from './order-by-uid.ts'

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

const order = (...by: (Order['by'] | `-${Order['by']}`)[]) =>
  orderByUid(
    app,
    program.who,
    inbox,
    [1, 2, 3, 9],
    by.map((each) => ({
      by: each.replace('-', '') as Order['by'],
      isReverse: each.startsWith('-'),
    })),
  )

const letters: [Letter, string][] = [
  [
    {
      ...{ subject: 'Re: beta', from: 'Zoe <carl@a.example>', to: 'max@example.com' },
      headers: ['Cc: x@example.org', 'Date: Fri, 1 May 2020 10:00:00 +0200'],
    },
    '2021-01-03',
  ],
  [
    {
      ...{
        subject: 'Alpha',
        from: 'anna@z.example',
        to: 'Ben <zoe@example.com>',
        body: 'long '.repeat(99),
      },
      headers: ['Date: Fri, 1 May 2020 09:00:00 +0000 (noon)'],
    },
    '2021-01-01',
  ],
  [
    {
      ...{ subject: '[list] Beta', from: 'Bob <bob@a.example>', to: 'adam@example.com' },
      headers: ['Cc: a@example.org', 'Date: never'],
    },
    '2020-05-01T08:30:00Z',
  ],
]

test('each order, in reverse, and several of them', async () => {
  for (const [letter, date] of letters)
    await program.append('inbox', letter, { date: new Date(date) })
  for (const [by, uids] of [
    [['arrival'], [3, 2, 1]],
    [['date'], [1, 3, 2]],
    [['-date'], [2, 3, 1]],
    [['cc'], [2, 3, 1]],
    [['from'], [2, 3, 1]],
    [['to'], [3, 1, 2]],
    [['displayFrom'], [2, 3, 1]],
    [['displayTo'], [3, 2, 1]],
    [['-size'], [2, 1, 3]],
    [['subject'], [2, 1, 3]],
    [
      ['-subject', 'arrival'],
      [3, 1, 2],
    ],
    [[], [1, 2, 3]],
  ] as [Order['by'][], number[]][])
    expect(await order(...by), by.join(' ')).toEqual(uids)
})

test('threads by references and by subject, of the given messages only', async () => {
  await program.come(
    { subject: 'Plan', messageId: 'a@x' },
    { subject: 'Re: Plan', messageId: 'b@x', headers: ['In-Reply-To: <a@x>'] },
    { subject: 'Other', messageId: 'c@x', headers: ['References: <a@x> <b@x>'] },
    { subject: 'Plan' },
  )
  const leaf = (uid: number) => ({ uid, answers: [] })
  expect(await threadByUid(app, program.who, inbox, [1, 2, 3])).toEqual([
    { uid: 1, answers: [{ uid: 2, answers: [leaf(3)] }] },
  ])
  expect(await threadByUid(app, program.who, inbox, [2, 3, 7])).toEqual([
    { uid: 2, answers: [leaf(3)] },
  ])
  expect(await threadByUid(app, program.who, inbox, [1, 2, 3, 4], 'subject')).toEqual([
    { uid: 1, answers: [leaf(2), leaf(4)] },
    leaf(3),
  ])
})

test('nothing of others is put in order', async () => {
  await program.come('1')
  const other = await aMailProgram(app)
  const none = { type: 'NOT_EXISTS' }
  for (const at of [inbox, { mailboxId: other.mailbox.id, folderId: inbox.folderId }]) {
    await expect(orderByUid(app, other.who, at, [1], [])).rejects.toMatchObject(none)
    await expect(threadByUid(app, other.who, at, [1])).rejects.toMatchObject(none)
  }
})
