import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_AHEAD } from '#contract/mail/conversations.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aLetter } from '#test-world/mail/letter.ts'
import { aMailReader } from '#test-world/members.ts'
import { readAhead } from './read-ahead.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test('those that are there come in the order asked for, each with its conversation', async () => {
  const { who, mailbox } = await aMailReader(app)
  const other = await aMailReader(app)
  for (const subject of ['One', 'Two']) await aLetter(app, mailbox, { subject })
  await aLetter(app, other.mailbox, { subject: 'Foreign' })
  const idOf = async (subject: string) =>
    (
      await app.db
        .selectFrom('messages')
        .select('id')
        .where('subject', '=', subject)
        .executeTakeFirstOrThrow()
    ).id
  const [one, two, foreign] = [await idOf('One'), await idOf('Two'), await idOf('Foreign')]
  const asked = [two, newId(), foreign, 'no id', one, two].join(',')
  const ahead = await readAhead(app, who, mailbox.id, asked)
  expect(ahead.map(({ message }) => message.subject)).toEqual(['Two', 'One'])
  expect(ahead.map(({ conversation }) => conversation.items.map(({ _id }) => _id))).toEqual([
    [two],
    [one],
  ])
  await expect(readAhead(app, who, other.mailbox.id, foreign)).rejects.toThrow()
})

test('large ones are left out, and so is what is more than a few', async () => {
  const { who, mailbox } = await aMailReader(app)
  await aLetter(app, mailbox, { subject: 'Large', body: 'x'.repeat(300_000) })
  for (let n = 0; n < 8; n++)
    await aLetter(app, mailbox, { subject: `Middle ${n}`, body: 'x'.repeat(150_000) })
  const rows = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', mailbox.id)
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const ahead = await readAhead(app, who, mailbox.id, ids.join(','))
  expect(ahead.map(({ message }) => message.subject)).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => `Middle ${n}`),
  )
  const many = [...Array.from({ length: MAX_AHEAD }, newId), ids[1]].join(',')
  expect(await readAhead(app, who, mailbox.id, many)).toEqual([])
})
