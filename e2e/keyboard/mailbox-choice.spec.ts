/** By keyboard alone: I choose among many mailboxes. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { expect, opened, test } from '../specification/setting.ts'
import { expectAt, press } from './keys.ts'

test('I find a mailbox by its name, or walk to it', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const emails: string[] = []
  for (let n = 0; n < 10; n++) {
    const mailbox = await aMailbox(setting, { domain })
    await letRead(setting, mailbox, user.id)
    emails.push(mailbox.email)
  }
  await opened(page, '/dashboard/view-mail')
  const chosen = page.getByRole('button', { name: /Choose another mailbox/ })
  await press(page, 'button', /Choose another mailbox/)
  await expectAt(page, 'searchbox', 'Find a mailbox')
  await page.keyboard.type(emails[4] ?? '')
  await expect(page.getByRole('list', { name: 'Mailboxes' }).getByRole('button')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(chosen).toContainText(emails[4] ?? '')

  await press(page, 'button', /Choose another mailbox/)
  await expectAt(page, 'searchbox', 'Find a mailbox')
  const all = page.getByRole('list', { name: 'Mailboxes' }).getByRole('button')
  const second = await all.nth(1).textContent()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'])
    await page.keyboard.press(key)
  const [email = ''] = emails.filter((each) => second?.includes(each))
  await expect(chosen).toContainText(email)
})
