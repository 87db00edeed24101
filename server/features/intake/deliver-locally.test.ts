import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutboxMessage } from '#server/features/outbox/claim-deliveries.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { deliverLocally } from './deliver-locally.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const bad =
  'From: "service@bank.example" <eve@casino.example>\r\nMessage-ID: <1@casino.example>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\nSubject: Re: YOUR ACCOUNT IS CLOSED\r\n\r\nPress http://203.0.113.9/login now\r\n'
const good =
  'From: Eve <eve@casino.example>\r\nMessage-ID: <2@casino.example>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\nSubject: The mill\r\n\r\nIt weaves.\r\n'

const folderOf = async (mailbox: Mailbox, text: string, workspaceId: string | null) => {
  const message = { mailFrom: 'eve@casino.example', workspaceId } as OutboxMessage
  const delivery = await deliverLocally(app, message, mailbox.email, Buffer.from(text))
  await app.db.transaction().execute(async (tx) => delivery?.keep?.(tx))
  const { role, junk } = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['role', 'junk'])
    .where('messages.mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  return [role, junk?.score]
}

test('mail of another workspace is scored, mail of one’s own and of ours is not', async () => {
  const other = await aMailbox(app)
  const stranger = other.workspaceId
  const mailbox = async () => aMailbox(app)
  expect(await folderOf(await mailbox(), bad, stranger)).toEqual(['junk', 5.5])
  expect(await folderOf(await mailbox(), good, stranger)).toEqual(['inbox', 0])
  const own = await mailbox()
  expect(await folderOf(own, bad, own.workspaceId)).toEqual(['inbox', undefined])
  expect(await folderOf(await mailbox(), bad, null)).toEqual(['inbox', undefined])
})
