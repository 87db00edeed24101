/** What lists, searches and undo read goes with the mail. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeMessages, undoChange } from '#server/features/messages/change-messages.ts'
import { listConversations } from '#server/features/messages/conversations.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { searchMessages } from '#server/features/messages/search/search-messages.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aWorkspace, letRead } from '#test-world/builders.ts'
import { aMember } from '#test-world/members.ts'
import { moveDomain } from './move-domain.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test('lists, searches and what can be taken back are in the other workspace as they were', async () => {
  const who = await aMember(app)
  const to = await aWorkspace(app, { name: 'Other' })
  const createdAt = app.clock.now()
  await app.db
    .insertInto('members')
    .values({ workspaceId: to.id, userId: who.userId, role: 'Admin', createdAt })
    .execute()
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain })
  await letRead(app, mailbox, who.userId)
  const receive = async (given: string) => {
    const raw = Buffer.from(
      `From: a@b.example\r\nTo: ${mailbox.email}\r\n${given}\r\n\r\nlemonade\r\n`,
    )
    await receiveMessage(app, app.db, { raw, mailFrom: 'a@b.example', authentication: null }, [
      { mailboxId: mailbox.id, workspaceId: who.workspaceId },
    ])
  }
  await receive('Subject: Tea\r\nMessage-ID: <1@b.example>')
  await receive('Subject: Re: Tea\r\nIn-Reply-To: <1@b.example>')
  await receive('Subject: Coffee')
  const until = new Date(createdAt.getTime() + 10_000_000).toISOString()
  const all = { folder: 'inbox', until, except: [] }
  const { _id } = await changeMessages(app, who, mailbox.id, { all, isStarred: true })
  const there = { ...who, workspaceId: to.id }
  const list = (reader: typeof who) =>
    listConversations(app, reader, mailbox.id, { folder: 'inbox', from: 0, limit: 50 })
  const before = await list(who)
  expect(before.items.map(({ messages }) => messages)).toEqual([1, 2])

  await moveDomain(app, who, domain.id, to.id)

  expect(await list(there)).toEqual(before)
  const found = await searchMessages(app, there, mailbox.id, { q: 'lemonade', limit: 50 })
  expect(found.items).toHaveLength(3)
  expect(await undoChange(app, there, mailbox.id, _id ?? '')).toEqual({ count: 3 })
})
