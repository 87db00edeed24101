/** By keyboard alone: I end a session, look into the audit log, keep my account, and give my server a webhook. */

import { aUser } from '#test-world/builders.ts'
import { aReceiver } from '#test-world/outgoing/webhook-receiver.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, expectHeading, press, tabTo, typeInto } from './keys.ts'

test('I end my other session, and narrow the audit log', async ({ setting, person, browser }) => {
  const { page, email, call } = person
  const other = await browser.newContext({ baseURL: setting.product.url })
  await other.request.post('/api/v1/auth/login', { data: { email, password: PASSWORD } })
  await opened(page, '/dashboard/security')
  await tabTo(page, 'button', 'End all others')
  await press(page, 'button', /^End the session of/, { within: 2 })
  await expectToast(page, 'Session ended')
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.locator('body')).not.toBeFocused()
  await other.close()

  await call('POST', '/domains', { name: `keys-${crypto.randomUUID().slice(0, 8)}.example` })
  await call('POST', '/invitations', { email: 'grace@elsewhere.example', role: 'Editor' })
  await opened(page, '/dashboard/audit-log')
  await expect(page.getByText('Changes: 2')).toBeVisible()
  await press(page, 'combobox', 'Topic')
  await page.keyboard.type('Dom')
  await expectAt(page, 'option', 'Domains')
  await page.keyboard.press('Enter')
  await expectAt(page, 'combobox', 'Topic')
  await expect(page.getByText('Changes: 1')).toBeVisible()
  await expect(page).toHaveURL(/topic=domains/)
  await press(page, 'combobox', 'Who', { within: 1 })
  await page.keyboard.type('The sys')
  await expectAt(page, 'option', 'The system')
  await page.keyboard.press('Enter')
  await expectAt(page, 'combobox', 'Who')
  await expect(page.getByText('Nothing was changed like this')).toBeVisible()
})

test('I ask for the end of my account, and keep it', async ({
  setting,
  person: { page, ...me },
}) => {
  const colleague = await aUser(setting)
  await setting.db
    .insertInto('members')
    .values({
      ...{ workspaceId: me.workspace.id, userId: colleague.id, role: 'Admin' },
      createdAt: setting.clock.now(),
    })
    .execute()
  await opened(page, '/dashboard/security')
  await press(page, 'button', 'Delete account', { within: 40 })
  await typeInto(page, `Type ${me.email} to confirm`, me.email, { within: 2 })
  await typeInto(page, 'Your password', PASSWORD, { within: 1 })
  await press(page, 'button', 'Delete account', { within: 3 })
  await expectToast(page, 'Your account will be deleted')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeVisible()
  await press(page, 'button', 'Keep my account', { within: 40 })
  await expectToast(page, 'Your account stays')
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeVisible()
})

test('I add a webhook, look into its attempts, and send one again', async ({
  person: { page },
}) => {
  const receiver = await aReceiver()
  receiver.answers((response) => void response.writeHead(503).end('not now'))
  await opened(page, '/dashboard/developers?tab=webhooks')
  await press(page, 'button', 'Add webhook')
  await expectAt(page, 'textbox', 'Address')
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please choose at least one')).toBeVisible()
  await expectAt(page, 'checkbox', /^A mail came in/)
  await page.keyboard.press('Space')
  await press(page, 'button', 'Add webhook')
  await expect(page.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
  await press(page, 'button', 'Done', { within: 5 })
  await press(page, 'link', receiver.url)
  await expectHeading(page, new URL(receiver.url).host)
  await press(page, 'button', 'Send a test')
  const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  await expect(attempts.first()).toContainText('it answers 503')
  receiver.answers((response) => void response.end('thanks'))
  await press(page, 'button', 'Send again')
  await expect(attempts.first()).toContainText('Arrived, 200')
  await press(page, 'button', 'Details', { back: true })
  await expect(page.getByText('webhook-id')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Details', expanded: true })).toBeFocused()
  await receiver.close()
})
