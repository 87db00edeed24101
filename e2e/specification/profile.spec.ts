/** Profile: one's own details and password, and the bills of the workspace. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { mailedLink, PASSWORD } from '#test-world/trials/account.ts'
import { logIn } from '../browsers.ts'
import { aPerson, cutting, expect, expectToast, failing, test } from './setting.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' })
const tooMany = { statusCode: 429, type: 'TOO_MANY_REQUESTS', message: 'Slow down' } as const

test('two tabs; the details, what they refuse, and that a name is saved without a password [2.78 2.79 5.27 5.28 5.29]', async ({
  person: { page, email },
}) => {
  await page.goto('/dashboard/profile')
  await expect(page).toHaveTitle('Profile | Mailstead')
  await expect(page.getByRole('tab')).toHaveText(['Details', 'Billing'])
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Details')
  const labels = ['First name', 'Last name', 'Email', 'Password']
  await expect(page.getByRole('tabpanel').locator('label')).toHaveText(labels)
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Password')).toHaveValue('')
  await expect(field(page, 'Password')).toHaveAttribute('type', 'password')
  await expect(field(page, 'Password')).not.toHaveAttribute('aria-required')
  for (const label of labels.slice(0, 3)) {
    await expect(field(page, label)).toHaveAttribute('aria-required', 'true')
    await field(page, label).fill('')
  }
  await save(page).click()
  await expect(field(page, 'First name')).toHaveAccessibleDescription('First name is required')
  await expect(field(page, 'Last name')).toHaveAccessibleDescription('Last name is required')
  const wrongEmail = /Enter a valid email address$/
  await expect(field(page, 'Email')).toHaveAccessibleDescription(wrongEmail)
  await field(page, 'Email').fill('ada@')
  await expect(field(page, 'Email')).toHaveAccessibleDescription(wrongEmail)
  await field(page, 'Email').fill(email)
  await expect(field(page, 'Email')).not.toHaveAccessibleDescription(wrongEmail)
  await field(page, 'First name').fill('Augusta')
  await field(page, 'Last name').fill('בייירון')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save(page).click()
  expect((await sent).postDataJSON()).toEqual({ firstName: 'Augusta', lastName: 'בייירון' })
  await expectToast(page, 'Profile updated')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Augusta בייירון')
})

test('an e-mail changes when its mailed link is opened, needs the password, and can be withdrawn [1.7 5.29]', async ({
  person: { page, email },
  setting: { product },
}) => {
  const fresh = `countess-${email}`
  await page.goto('/dashboard/profile')
  await field(page, 'Email').fill(fresh)
  await save(page).click()
  await expect(page.getByText('Please enter your current password')).toBeVisible()
  await field(page, 'Password').fill('Engine-No-9!')
  await save(page).click()
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await field(page, 'Password').fill(PASSWORD)
  await save(page).click()
  await expectToast(page, 'Please confirm your new email', fresh)
  // Not before the link is opened.
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Password')).toHaveValue('')
  const pending = page.getByText(`Open the link that we sent to ${fresh} to make it your email.`)
  await expect(pending).toBeVisible()
  const notice = await product.mailTo(email)
  expect(notice.email.text).toContain(fresh)

  await page.getByRole('button', { name: 'Keep the old one' }).click()
  await expectToast(page, 'Your email stays as it is', email)
  await expect(pending).toBeHidden()
  const withdrawn = await mailedLink(product, fresh)
  await page.goto(withdrawn.href)
  await expect(page).toHaveURL(/\/404-page$/)
})

test('dates are written as a person prefers, on every page at once, and as the browser has them until then', async ({
  person: { page },
}) => {
  await page.goto('/dashboard/profile#preferences')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await expect(zone).toHaveText(/^As this browser \(/)
  await expect(page.getByRole('combobox', { name: 'Date format' })).toHaveText(
    'As this browser (Nov 23, 2026)',
  )
  await zone.click()
  await page.getByPlaceholder('Search').fill('tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await page.getByRole('combobox', { name: 'Date format' }).click()
  await page.getByRole('option', { name: '2026-11-23', exact: true }).click()
  await page.getByRole('combobox', { name: 'Time format' }).click()
  await page.getByRole('option', { name: '24h (14:30)' }).click()
  await page.getByRole('checkbox', { name: /^Mail me when DNS records/ }).click()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expectToast(page, 'Preferences saved')
  await page.goto('/dashboard/settings?tab=users')
  await expect(page.getByRole('table').locator('time').first()).toHaveAttribute(
    'title',
    /^\d{4}-\d\d-\d\d, \d\d:\d\d$/,
  )
  await page.goto('/dashboard/profile')
  await expect(zone).toHaveText('Asia/Tokyo')
  await expect(page.getByRole('checkbox', { name: /^Mail me when DNS records/ })).not.toBeChecked()
})

test('an opened link makes the new e-mail the one to log in with [1.7]', async ({
  person: { page, email, call },
  setting: { product },
}) => {
  const fresh = `countess-${email}`
  await call('PATCH', '/profile', { email: fresh, password: PASSWORD })
  const link = await mailedLink(product, fresh)
  await page.goto(link.href)
  await expectToast(page, 'Email verified successfully', fresh)
  await expect(page).toHaveURL(/\/dashboard\/profile$/)
  await expect(field(page, 'Email')).toHaveValue(fresh)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, fresh)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('Update password opens a modal with rules of its own, and other sessions end [2.79 5.30]', async ({
  person: { page, email, user },
  setting,
  browser,
}) => {
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(`${setting.product.url}/login`)
  await logIn(other, email)
  await expect(other).toHaveURL(/\/dashboard$/)

  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Update password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update password' })
  const [old, fresh, confirm] = ['Old Password', 'New Password', 'Confirm New Password'].map(
    (label) => dialog.getByLabel(label, { exact: true }),
  ) as [typeof dialog, typeof dialog, typeof dialog]
  await expect(dialog.locator('label')).toHaveText([
    'Old Password',
    'New Password',
    'Confirm New Password',
  ])
  const press = () => dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await press()
  for (const [input, message] of [
    [old, 'Old password is required'],
    [fresh, 'New password must be at least 6 characters'],
    [confirm, 'Please confirm your new password'],
  ] as const) {
    await expect(input).toHaveAttribute('type', 'password')
    await expect(input).toHaveAccessibleDescription(message)
    await input.fill('12345')
    await expect(input).toHaveAccessibleDescription(message)
    await input.fill('123456')
    await expect(input).not.toHaveAttribute('aria-describedby', /error/)
  }
  await fresh.fill('Engine-No-2!')
  await press()
  await expect(confirm).toHaveAccessibleDescription('Passwords do not match')
  await confirm.fill('Engine-No-2!')
  await press()
  await expect(old).toHaveAccessibleDescription('The old password is not right')
  await old.fill(PASSWORD)
  await press()
  await expectToast(page, 'Password updated successfully.', 'Your other sessions were signed out.')
  await expect(dialog).toBeHidden()

  await other.reload()
  await expect(other).toHaveURL(/\/login$/)
  await logIn(other, email, 'Engine-No-2!')
  await expect(other).toHaveURL(/\/dashboard$/)
  await elsewhere.close()
  await page.reload()
  await expect(field(page, 'First name')).toHaveValue(user.firstName)
})

test('what could not be saved stays in the form and in the modal; leaving asks [2.79]', async ({
  person: { page },
}) => {
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  await page.goto('/dashboard/profile')
  await field(page, 'First name').fill('Augusta')
  const cut = () => cutting(page, '/profile')
  for (const [begin, text] of [
    [() => failing(page, 'PATCH', '/profile', { statusCode: 500 }), 'Something went wrong'],
    [() => failing(page, 'PATCH', '/profile', tooMany), 'Too many requests'],
    [cut, 'Something went wrong'],
  ] as const) {
    const end = await begin()
    await save(page).click()
    await expectToast(page, 'Error', text)
    await page.getByRole('button', { name: 'Close notification' }).click()
    await expect(field(page, 'First name')).toHaveValue('Augusta')
    await end()
  }
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(field(page, 'First name')).toHaveValue('Augusta')
  await save(page).click()
  await expectToast(page, 'Profile updated')

  const open = () => page.getByRole('button', { name: 'Update password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update password' })
  await open()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await open()
  await dialog.getByLabel('Old Password').fill(PASSWORD)
  for (const label of ['New Password', 'Confirm New Password'])
    await dialog.getByLabel(label, { exact: true }).fill('Engine-No-2!')
  await failing(page, 'POST', '/profile/password', tooMany)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Error', 'Too many requests')
  await expect(dialog.getByLabel('New Password', { exact: true })).toHaveValue('Engine-No-2!')
  // While it is there, Escape closes the toast above.
  await expect(page.getByText('Too many requests')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByLabel('Old Password')).toHaveValue(PASSWORD)
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/domains$/)
})

test('details that cannot be read say so, with a way on [2.79]', async ({ person: { page } }) => {
  const readable = await failing(page, 'GET', '/profile', { statusCode: 403, type: 'FORBIDDEN' })
  await page.goto('/dashboard/profile')
  await expect(page.getByText('Error loading your profile')).toBeVisible()
  await readable()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(field(page, 'First name')).toHaveValue('Ada')
})

test('billing is empty at first, then the real invoices with amounts, dates, Due and Paid [1.8 2.80]', async ({
  person: { page, call, workspace },
  setting,
  browser,
}) => {
  await page.goto('/dashboard/profile')
  await page.getByRole('tab', { name: 'Billing' }).click()
  await expect(page).toHaveURL(/\/dashboard\/profile\?tab=billing$/)
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to Mailboxes' })).toHaveAttribute(
    'href',
    '/dashboard/mailboxes',
  )
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const pay = async (count: number) => {
    const waiting = Array.from({ length: count }, () =>
      aMailbox(setting, { domain, status: 'inactive' }),
    )
    const mailboxIds = (await Promise.all(waiting)).map(({ id }) => id)
    return (await call('POST', '/payments', { mailboxIds })).body
  }
  await pay(1)
  await pay(2)
  await setting.db
    .updateTable('invoices')
    .set({ status: 'Paid', paidAt: setting.clock.now() })
    .where('workspaceId', '=', workspace.id)
    .where('mailboxCount', '=', 1)
    .execute()
  await page.reload()
  const table = page.getByRole('table', { name: 'Invoices' })
  const headers = ['Product name', 'Amount', 'Date', 'Status']
  await expect(table.getByRole('columnheader')).toHaveText(headers)
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date())
  const row = (text: string) => table.getByRole('row').filter({ hasText: text }).getByRole('cell')
  await expect(row('Mailbox x 2')).toHaveText([/^Mailbox x 2/, '$4', today, 'Due'])
  await expect(row('Mailbox x 1')).toHaveText([/^Mailbox x 1/, '$2', today, 'Paid'])
  await expect(table.locator('input, select, textarea, td button')).toHaveCount(0)

  const mend = await failing(page, 'GET', '/invoices?*', { statusCode: 403, type: 'FORBIDDEN' })
  await page.reload()
  await expect(page.getByText('Error loading invoices')).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row('Mailbox x 2')).toHaveCount(4)

  const context = await browser.newContext()
  const editor = await aPerson(setting, context, await context.newPage(), {
    role: 'Editor',
    workspace,
  })
  await editor.page.goto(`${setting.product.url}/dashboard/profile?tab=billing`)
  await expect(editor.page.getByText('Only an Admin can see this')).toBeVisible()
  await context.close()
})
