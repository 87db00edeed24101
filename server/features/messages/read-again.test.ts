import { afterAll, beforeAll, expect, test } from 'vitest'
import { readingJobs } from '#server/standards/reading/reading-jobs.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { readAgain } from './read-again.ts'
import { receiveMessage } from './receive-message.ts'
import { searchMessages } from './search/search-messages.ts'

let app: TestApp
let who: Awaited<ReturnType<typeof aMember>>
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
  who = await aMember(app)
  mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, mailbox, who.userId)
})
afterAll(() => app.close())

/** As on a computer that was too busy. */
const filedInPart = async (raw: Buffer) => {
  const digest = { ...(await readingJobs.digestOfHeader(raw)), isPartial: true as const }
  const message = { raw, mailFrom: 'eve@example.net', authentication: null, digest }
  await receiveMessage(app, app.db, message, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])
}
const found = async (q: string) =>
  (await searchMessages(app, who, mailbox.id, { q, limit: 50 })).items.map(
    ({ subject, preview }) => ({ subject, preview }),
  )
const marked = async () =>
  (await app.db.selectFrom('messagesReadInPart').selectAll().execute()).length

test('text that was not read when a message was filed is found and shown later', async () => {
  const body = `The quarterly heliograph${'\r\nand more'.repeat(10_000)}`
  await filedInPart(Buffer.from(letterText({ subject: 'Large', body })))
  expect(await found('heliograph')).toEqual([])
  await readAgain(app)
  expect(await found('heliograph')).toEqual([
    { subject: 'Large', preview: expect.stringMatching(/^The quarterly heliograph and more/) },
  ])
  expect(await marked()).toBe(0)
})

test('a message that was read whole is not marked', async () => {
  await receiveMessage(
    app,
    app.db,
    {
      raw: Buffer.from(letterText({ subject: 'Whole', body: 'x\r\n'.repeat(20_000) })),
      mailFrom: '',
      authentication: null,
    },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )
  expect(await marked()).toBe(0)
})
