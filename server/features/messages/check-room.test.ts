import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aWorkspace, limitStorage, type Mailbox } from '#test-world/builders.ts'
import { letterText } from '#test-world/mail/letter.ts'
import { checkRoom, mostMessages } from './check-room.ts'
import { receiveMessage } from './receive-message.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const mailboxesOf = async (quotaBytes: number, count: number): Promise<Mailbox[]> => {
  const workspace = await aWorkspace(app, {})
  await limitStorage(app, workspace.id, quotaBytes)
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const made: Mailbox[] = []
  for (let n = 0; n < count; n++) made.push(await aMailbox(app, { domain, localPart: `box${n}` }))
  return made
}
const raw = Buffer.from(letterText({ subject: 'x', body: 'x'.repeat(3_000) }))
const receive = (...mailboxes: Mailbox[]) =>
  receiveMessage(
    app,
    app.db,
    { raw, mailFrom: 'eve@example.net', authentication: null },
    mailboxes.map(({ id, workspaceId }) => ({ mailboxId: id, workspaceId })),
  )
const messagesOf = async ({ workspaceId }: Mailbox) =>
  (
    await app.db
      .selectFrom('messages')
      .select('id')
      .where('workspaceId', '=', workspaceId)
      .execute()
  ).length

test('mails that come at once, into several mailboxes, fill the storage and no more', async () => {
  const mailboxes = await mailboxesOf(3 * raw.length + 100, 8)
  const settled = await Promise.allSettled(mailboxes.map((mailbox) => receive(mailbox)))
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(5)
  for (const each of refused) expect(each).toMatchObject({ reason: { type: 'STORAGE_FULL' } })
  expect(await messagesOf(mailboxes[0] as Mailbox)).toBe(3)
})

test('a mail for several mailboxes needs room for each', async () => {
  const mailboxes = await mailboxesOf(2 * raw.length + 100, 3)
  await expect(receive(...mailboxes)).rejects.toMatchObject({ type: 'STORAGE_FULL' })
  await receive(...mailboxes.slice(0, 2))
  expect(await messagesOf(mailboxes[0] as Mailbox)).toBe(2)
})

test('messages are counted too: the smallest takes two blocks of a disk', async () => {
  expect(mostMessages(75_000_000_000)).toBe(9_155_273)
  const [mailbox] = (await mailboxesOf(75_000_000_000, 1)) as [Mailbox]
  const count = (messageCount: number) =>
    app.db
      .updateTable('folders')
      .set({ messageCount })
      .where('mailboxId', '=', mailbox.id)
      .where('role', '=', 'archive')
      .execute()
  await count(mostMessages(75_000_000_000) - 1)
  await expect(checkRoom(app, [mailbox.id], 100)).resolves.toMatchObject({ messages: 0 })
  await count(mostMessages(75_000_000_000))
  await expect(receive(mailbox)).rejects.toMatchObject({ type: 'STORAGE_FULL' })
})
