import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { makeKey, storeKey } from '#server/features/domains/domain-keys.ts'
import { getStorage } from '#server/features/messages/get-message.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { changeSettings, getSettings } from './mailbox-settings.ts'

let app: TestApp
let who: Who
let ada: Mailbox
let grace: Mailbox
beforeAll(async () => {
  app = await anApp()
  who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  await storeKey(app.db, domain, await makeKey(app))
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  grace = await aMailbox(app, { domain, localPart: 'grace' })
  await letRead(app, ada, who.userId)
})
afterAll(() => app.close())

const send = () =>
  sendMessage(app, who, ada.id, {
    ...{ to: ['a@b.example'], cc: [], bcc: [], subject: 'Hi', text: 'Hello', attachments: [] },
    draft: true,
  })

test('recipients see the display name, and without one both names', async () => {
  expect((await send()).from?.name).toBe('Ada Lovelace')
  await changeSettings(app, who, ada.id, { displayName: 'Ada, Countess' })
  expect((await send()).from).toEqual({ name: 'Ada, Countess', address: ada.email })
  await changeSettings(app, who, ada.id, { signature: '<p>A.</p>' })
  expect(await getSettings(app, who, ada.id)).toEqual({
    displayName: 'Ada, Countess',
    signature: '<p>A.</p>',
    canChange: true,
  })
  await changeSettings(app, who, ada.id, { displayName: '' })
  expect((await send()).from?.name).toBe('Ada Lovelace')
})

test.each([
  'ceo@bank.example',
  'CEO (ceo@Bank.example)',
  'ceo @ bank.example',
  'ceo\uff20bank\uff0eexample',
  'c\u200beo@ba\u200bnk.example',
  'ada@bank\u3002example',
])('a mailbox is not passed off as another address: %s', async (displayName) => {
  await expect(changeSettings(app, who, ada.id, { displayName })).rejects.toMatchObject({
    ...{ type: 'VALIDATION', data: { displayName: expect.stringContaining('another address') } },
  })
  const set = (names: object) =>
    app.db.updateTable('mailboxes').set(names).where('id', '=', ada.id).execute()
  // As from before, or by whoever looks after mailboxes.
  for (const names of [{ displayName }, { displayName: '', firstName: displayName }]) {
    await set(names)
    expect((await send()).from).toEqual({ name: '', address: ada.email })
  }
  await set({ displayName: '', firstName: 'Ada' })
})

test.each([() => ada.email.toUpperCase(), () => 'Ada @ Analytical Engines', () => 'Sales@Acme'])(
  'its own address is a name, and so is a lone @',
  async (name) => {
    await changeSettings(app, who, ada.id, { displayName: name() })
    expect((await send()).from?.name).toBe(name())
  },
)

test('storage is that of the folders, largest first, beside that of the workspace', async () => {
  const keep = (mailbox: Mailbox, bytes: number, isJunk = false) =>
    receiveMessage(
      app,
      app.db,
      { raw: Buffer.alloc(bytes, 'x'), mailFrom: 'a@b.example', authentication: null },
      [
        {
          mailboxId: mailbox.id,
          workspaceId: mailbox.workspaceId,
          junk: { score: 0, isJunk, reasons: [] },
        },
      ],
    )
  const before = await getStorage(app, who, ada.id)
  await keep(ada, 5_000)
  await keep(ada, 7_000)
  await keep(ada, 20_000, true)
  await keep(grace, 11_000)
  const { folders, ...sums } = await getStorage(app, who, ada.id)
  expect(sums).toEqual({
    usedBytes: before.usedBytes + 32_000,
    workspaceBytes: before.workspaceBytes + 43_000,
    quotaBytes: 75_000_000_000,
  })
  expect(folders.map(({ role, bytes, messages }) => [role, bytes, messages]).slice(0, 2)).toEqual([
    ['junk', 20_000, 1],
    ['inbox', 12_000, 2],
  ])
  expect(folders).toHaveLength(6)
})

test('for its reader and whoever looks after mailboxes', async () => {
  const editor: Who = { ...who, userId: newId(), role: 'Editor' }
  const user: Who = { ...editor, role: 'User' }
  expect((await getStorage(app, editor, grace.id)).folders).toHaveLength(6)
  for (const refused of [
    () => getStorage(app, user, ada.id),
    () => getSettings(app, user, ada.id),
    () => changeSettings(app, user, ada.id, { displayName: 'X' }),
  ])
    await expect(refused()).rejects.toMatchObject({ type: 'FORBIDDEN' })
  const stranger = await aMember(app)
  await expect(getSettings(app, stranger, ada.id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})
