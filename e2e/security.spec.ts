/** I see where I am signed in, and end it; the link of a mail throws a stranger out; the last Admin hands over and leaves. */
import type { Page } from '@playwright/test'
import { PASSWORD } from '#test-world/trials/account.ts'
import { aPerson, expect, expectToast, opened, test } from './specification/setting.ts'

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' })

test('I see my other browser and end it: it is out at once', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email } = person
  const other = await browser.newContext({ baseURL: setting.product.url })
  const login = { data: { email, password: PASSWORD } }
  await other.request.post(`${setting.product.url}/api/v1/auth/login`, login)
  const there = await other.newPage()
  await opened(there, '/dashboard/security')
  await opened(page, '/dashboard/profile')
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(2)
  await expect(sessions(page)).toContainText('This browser')
  await sessions(page)
    .getByRole('button', { name: /^End the session of/ })
    .click()
  await expectToast(page, 'Session ended')
  await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
  await expect(there).toHaveURL(/\/login/)
  await other.close()
})

test('the last Admin of a workspace hands it over, and leaves', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email, workspace } = person
  const context = await browser.newContext({ baseURL: setting.product.url })
  const mary = await aPerson(setting, context, await context.newPage(), { workspace, role: 'User' })
  await opened(page, '/dashboard/security')
  const leave = page.getByRole('region', { name: 'Delete your account' })
  await expect(leave).toContainText('You are the last Admin')
  await leave.getByRole('link', { name: /^Members of/ }).click()
  await expect(page).toHaveURL(/settings\?tab=users/)
  expect((await person.call('PATCH', `/members/${mary.user.id}`, { role: 'Admin' })).status).toBe(
    200,
  )
  await opened(page, '/dashboard/security')
  await leave.getByRole('button', { name: 'Delete account' }).click()
  const question = page.getByRole('alertdialog')
  const confirm = question.getByRole('button', { name: 'Delete account' })
  await expect(confirm).toBeDisabled()
  await question.getByLabel(`Type ${email} to confirm`).fill(email)
  await question.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await confirm.click()
  await expect(leave).toContainText('Your account ends on')
  await leave.getByRole('button', { name: 'Keep my account' }).click()
  await expect(leave.getByRole('button', { name: 'Delete account' })).toBeVisible()
  await opened(page, '/dashboard/audit-log?topic=members')
  await expect(page.getByRole('table')).toContainText('User → Admin')
  await context.close()
})
