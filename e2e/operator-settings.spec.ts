/** An operator closes sign-up while the program runs, and opens it again. */
import { expect, expectToast, opened, test } from './specification/setting.ts'

test('who may sign up is chosen in the browser, holds for strangers at once, and goes back', async ({
  operator: { page },
  setting,
  browser,
}) => {
  const strangers = await browser.newContext({ baseURL: setting.product.url })
  const visitor = await strangers.newPage()
  await opened(page, '/operator?tab=settings')
  const hint = page.getByText(/from SIGNUP|\(SIGNUP\)/)
  await expect(hint).toHaveText('Default, from SIGNUP.')
  await page.getByLabel('Mailboxes of a domain').fill('none')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter a whole number')).toBeVisible()
  await page.getByLabel('Mailboxes of a domain').fill('500')
  await page.getByLabel('Who may sign up').click()
  await page.getByRole('option', { name: 'Nobody' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Settings saved')
  await expect(hint).toHaveText('Changed here. The default is Everybody (SIGNUP).')
  await visitor.goto('/sign-up')
  await expect(visitor.getByText('Sign-up is closed here')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Back to the defaults' }).click()
  await expect(hint).toHaveText('Default, from SIGNUP.')
  await visitor.goto('/sign-up')
  await expect(visitor.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await expect(visitor.getByText('Sign-up is closed here')).toHaveCount(0)
  await opened(page, '/operator?tab=log&q=SIGNUP')
  await expect(page.getByRole('row').filter({ hasText: 'setting change' }).first()).toBeVisible()
  await strangers.close()
})

test('what I typed stays when another operator saves, and what they saved appears', async ({
  operator,
  page,
}) => {
  await page.clock.install()
  await opened(page, '/operator?tab=settings')
  const storage = page.getByLabel('Storage of a new workspace, in gigabytes')
  await storage.fill('7')
  await operator.call('PATCH', '/operator/settings', { domainMailboxLimit: 321 })
  // A page that is looked at again asks for what is older than some seconds.
  await page.clock.fastForward(15_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByLabel('Mailboxes of a domain')).toHaveValue('321')
  await expect(storage).toHaveValue('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Settings saved')
  const { body } = await operator.call('GET', '/operator/settings')
  expect(body).toMatchObject({ chosen: { storageQuotaBytes: 7e9, domainMailboxLimit: 321 } })
  const none = { signUp: null, storageQuotaBytes: null, domainMailboxLimit: null }
  await operator.call('PATCH', '/operator/settings', none)
})
