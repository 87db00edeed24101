import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import type { Mailbox } from '#test-world/builders.ts'
import { aLetter } from '#test-world/mail/letter.ts'
import { aMailReader } from '#test-world/members.ts'
import { changeMessages } from '../change-messages.ts'
import { searchMessages } from '../search-messages.ts'
import { waitingTexts, writeTexts } from './texts-store.ts'
import { writeWaitingTexts } from './write-texts.ts'

let app: TestApp
let who: Who
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('textsToWrite').execute()
  ;({ who, mailbox } = await aMailReader(app))
})

const isOpen = () => false
const writeTen = async () => writeTexts(app.db, await waitingTexts(app.db, 10))
const come = async (...subjects: string[]) => {
  for (const subject of subjects) await aLetter(app, mailbox, { subject })
}
const textsOf = (mailboxId: string) =>
  app.db
    .selectFrom('messageTexts')
    .select(['messageId', 'workspaceId', 'head'])
    .where('mailboxId', '=', mailboxId)
    .orderBy('messageId')
    .execute()
const waiting = () => app.db.selectFrom('textsToWrite').selectAll().execute()
const found = async (q: string) =>
  (await searchMessages(app, who, mailbox.id, { q, limit: 50 })).items.map(({ subject }) => subject)

test('new mail waits for its text, and a search finds it before the worker came', async () => {
  await come('Heliograph')
  expect(await textsOf(mailbox.id)).toEqual([])
  expect(await found('heliograph')).toEqual(['Heliograph'])
  expect(await waiting()).toEqual([])
})

test('the worker writes the texts of all mailboxes, each once', async () => {
  const other = await aMailReader(app)
  await come('One', 'Two')
  await aLetter(app, other.mailbox, { subject: 'Three' })
  await Promise.all([writeWaitingTexts(app, isOpen), writeWaitingTexts(app, isOpen)])
  const texts = [...(await textsOf(mailbox.id)), ...(await textsOf(other.mailbox.id))]
  expect(texts.map(({ head }) => head.split(' ')[0])).toEqual(['one', 'two', 'three'])
  expect(await waiting()).toEqual([])
})

test('a statement takes few long texts, so that it locks no mail of others for long', async () => {
  const other = await aMailReader(app)
  const body = '\u4e00\u4e8c\u4e09\r\n'.repeat(30_000)
  for (const subject of ['One', 'Two', 'Three']) await aLetter(app, mailbox, { subject, body })
  await aLetter(app, other.mailbox, { subject: 'Four' })
  expect(await writeTexts(app.db, await waitingTexts(app.db, 200))).toBe(2)
  await writeWaitingTexts(app, isOpen)
  expect(await waiting()).toEqual([])
  expect(await textsOf(mailbox.id)).toHaveLength(3)
  expect(await textsOf(other.mailbox.id)).toHaveLength(1)
})

test('a worker that is closing stops, and the rest waits for the next start', async () => {
  await come('One')
  await writeWaitingTexts(app, () => true)
  expect(await waiting()).toHaveLength(1)
})

test('what is being deleted meanwhile is neither waited for nor written', async () => {
  await come('Stays', 'Goes')
  const [stays, goes] = await app.db
    .selectFrom('messages')
    .select(['id', 'subject'])
    .where('mailboxId', '=', mailbox.id)
    .orderBy('id')
    .execute()
  const messages = [goes?.id ?? '']
  await changeMessages(app, who, mailbox.id, { messages, folder: 'trash' })
  await app.db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('messages')
      .where('id', '=', messages[0] ?? '')
      .execute()
    expect(await writeTen()).toBe(1)
  })
  expect((await textsOf(mailbox.id)).map(({ messageId }) => messageId)).toEqual([stays?.id])
  expect(await writeTen()).toBe(1)
  expect(await waiting()).toEqual([])
})

test('a mailbox that is moving to another workspace is left until it has moved', async () => {
  await come('Moves')
  await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('mailboxes').where('id', '=', mailbox.id).forUpdate().execute()
    expect(await writeTen()).toBe(0)
  })
  expect(await writeTen()).toBe(1)
})

test('a text that cannot be made is left out and logged, and the others are written', async () => {
  await come('Before', 'Poison', 'After')
  // As a limit of PostgreSQL that nobody knows of.
  await sql`
    alter table message_texts add constraint limit_of_a_test check (head not like '%poison%')`.execute(
    app.db,
  )
  try {
    // A search meets it before the worker, and another worker at the same time.
    expect(await found('before')).toEqual(['Before'])
    await Promise.all([writeWaitingTexts(app, isOpen), writeWaitingTexts(app, isOpen)])
  } finally {
    await sql`alter table message_texts drop constraint limit_of_a_test`.execute(app.db)
  }
  expect((await textsOf(mailbox.id)).map(({ head }) => head.split(' ')[0])).toEqual([
    'before',
    'after',
  ])
  expect(await waiting()).toEqual([])
})
