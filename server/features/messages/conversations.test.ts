import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aLetter, type Letter } from '#test-world/mail/letter.ts'
import { wrongCounts } from '#test-world/mail/mail-counts.ts'
import { aMailReader, aMember, anActiveDomain } from '#test-world/members.ts'
import { changeMessage, deleteMessage } from './change-message.ts'
import { getConversation, listConversations } from './conversations.ts'

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

const come = async (letter: Letter) => {
  app.clock.advance({ seconds: 1 })
  await aLetter(app, mailbox, letter)
}
const list = async (asked: { folder?: string; from?: number; limit?: number } = {}) =>
  listConversations(app, who, mailbox.id, { folder: 'inbox', from: 0, limit: 50, ...asked })
const subjects = async (asked?: Parameters<typeof list>[0]) =>
  (await list(asked)).items.map(({ subject, messages }) => [subject, messages])
const idOf = async (subject: string) => {
  const found = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', mailbox.id)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return found.id
}
const answers = (to: string, id: string): Letter => ({
  subject: `Re: ${to}`,
  messageId: id,
  headers: [`In-Reply-To: <${to}@x>`, `References: <${to}@x>`],
})
const form = { to: [], cc: [], bcc: [], attachments: [], draft: false, text: 'Yes' }

test('an answer joins what it answers, and what I wrote in Sent belongs to it', async () => {
  await come({ subject: 'plan', messageId: 'plan@x', from: 'Eve <eve@example.net>' })
  await come({ subject: 'other' })
  const plan = await idOf('plan')
  app.clock.advance({ seconds: 1 })
  const answer = { ...form, to: ['eve@example.net'], subject: 'Re: plan', inReplyTo: plan }
  const sent = await sendMessage(app, who, mailbox.id, answer)
  await come({ ...answers('plan', 'late@x'), from: 'Bob <bob@example.net>' })
  expect(await subjects()).toEqual([
    ['Re: plan', 3],
    ['other', 1],
  ])
  const [first] = (await list()).items
  expect(first?.people.map(({ address }) => address)).toEqual([
    'bob@example.net',
    mailbox.email,
    'eve@example.net',
  ])
  expect(first?.opens).toBe(plan)
  const { items, threadId } = await getConversation(app, who, mailbox.id, sent._id)
  expect(items.map(({ folder }) => folder)).toEqual(['inbox', 'sent', 'inbox'])
  expect(threadId).toBe(first?.threadId)
  // What is thrown away is no part of it any more.
  await deleteMessage(app, who, mailbox.id, plan)
  expect((await list()).items[0]).toMatchObject({ messages: 2 })
  expect((await getConversation(app, who, mailbox.id, sent._id)).items).toHaveLength(2)
  expect((await getConversation(app, who, mailbox.id, plan)).items).toHaveLength(3)
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})

test('an answer that comes before its question waits for it', async () => {
  await come({ ...answers('slow', 'quick@x'), subject: 'Re: slow' })
  await come({ subject: 'Re: Re: slow', messageId: 'third@x', headers: ['In-Reply-To: <quick@x>'] })
  await come({ subject: 'slow', messageId: 'slow@x' })
  expect(await subjects()).toEqual([['slow', 3]])
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})

test('circles and messages that answer themselves end', async () => {
  await come({
    subject: 'snake',
    messageId: 's@x',
    headers: ['In-Reply-To: <s@x>', 'References: <s@x> <s@x>'],
  })
  await come({ subject: 'a', messageId: 'a@x', headers: ['In-Reply-To: <b@x>'] })
  await come({ subject: 'b', messageId: 'b@x', headers: ['In-Reply-To: <a@x>'] })
  expect(await subjects()).toEqual([
    ['b', 2],
    ['snake', 1],
  ])
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})

test('one message does not tie together all that it names, nor does a Message-ID that is there already', async () => {
  for (const name of ['one', 'two', 'three']) await come({ subject: name, messageId: `${name}@x` })
  await come({ subject: 'tie', headers: ['References: <one@x> <two@x> <three@x>'] })
  expect(await subjects()).toEqual([
    ['tie', 2],
    ['two', 1],
    ['one', 1],
  ])
  await come(answers('one', 'answer@x'))
  await come({ subject: 'thief', messageId: 'one@x' })
  expect(await subjects()).toContainEqual(['thief', 1])
})

test('an answer that names nothing joins by its subject only what I wrote to its sender', async () => {
  const to = { ...form, to: ['Eve@example.net'], subject: 'Lunch on Friday' }
  const { _id } = await sendMessage(app, who, mailbox.id, to)
  await come({ subject: 'AW: Lunch on Friday', from: 'Eve <eve@example.net>' })
  await come({ subject: 'Re: Lunch on Friday', from: 'Mallory <m@example.net>' })
  await come({ subject: 'Lunch on Friday', from: 'Eve <eve@example.net>' })
  await come({ subject: 'Re:', from: 'Eve <eve@example.net>' })
  expect((await getConversation(app, who, mailbox.id, _id)).items.map((m) => m.subject)).toEqual([
    'Lunch on Friday',
    'AW: Lunch on Friday',
  ])
  expect((await list()).total).toBe(4)
  app.clock.advance({ days: 31 })
  await come({ subject: 'SV: Lunch on Friday', from: 'Eve <eve@example.net>' })
  expect((await getConversation(app, who, mailbox.id, _id)).items).toHaveLength(2)
})

test('question and answer that come at the same moment find each other, whoever is first', async () => {
  for (let round = 0; round < 8; round++) {
    const name = `race${round}`
    await Promise.all([
      aLetter(app, mailbox, { subject: name, messageId: `${name}@x` }),
      aLetter(app, mailbox, answers(name, `answer${round}@x`)),
    ])
  }
  expect((await list()).items.map(({ messages }) => messages)).toEqual(Array(8).fill(2))
  expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
})

test('a list is read from any position, over days and equal dates', async () => {
  for (let n = 0; n < 12; n++) {
    if (n % 4 === 0) app.clock.advance({ days: 1 })
    await aLetter(app, mailbox, { subject: `m${n}` })
  }
  const whole = (await list()).items.map(({ _id }) => _id)
  expect(whole).toHaveLength(12)
  for (let from = 0; from <= 13; from++) {
    const { items, total } = await list({ from, limit: 3 })
    expect([items.map(({ _id }) => _id), total]).toEqual([whole.slice(from, from + 3), 12])
  }
})

test('read and starred are said of the whole conversation, and a draft is one of its own', async () => {
  await come({ subject: 'q', messageId: 'q@x' })
  await come(answers('q', 'a@x'))
  const [q, a] = [await idOf('q'), await idOf('Re: q')]
  await changeMessage(app, who, mailbox.id, a, { isRead: true, isStarred: true })
  expect((await list()).items[0]).toMatchObject({ isRead: false, isStarred: true, opens: q })
  await changeMessage(app, who, mailbox.id, q, { isRead: true })
  expect((await list()).items[0]).toMatchObject({ isRead: true, opens: a })
  const draft = { ...form, subject: 'Re: q', inReplyTo: q, draft: true }
  for (const _ of [1, 2]) await sendMessage(app, who, mailbox.id, draft)
  expect(await subjects({ folder: 'drafts' })).toEqual([
    ['Re: q', 1],
    ['Re: q', 1],
  ])
  expect(await subjects()).toEqual([['Re: q', 2]])
})

test('is nobody else’s to read', async () => {
  await come({ subject: 'secret' })
  const id = await idOf('secret')
  const stranger = await aMember(app)
  const refused = (promise: Promise<unknown>) =>
    expect(promise).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  await refused(
    listConversations(app, stranger, mailbox.id, { folder: 'inbox', from: 0, limit: 5 }),
  )
  await refused(getConversation(app, stranger, mailbox.id, id))
  for (const wrong of [newId(), 'x', "'"])
    await refused(getConversation(app, who, mailbox.id, wrong))
  const other = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, other, who.userId)
  await refused(getConversation(app, who, other.id, id))
})
