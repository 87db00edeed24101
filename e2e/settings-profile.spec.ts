/** Settings and profile: the company, its people, one's own account, the bills, and more than one workspace. */
import { type Browser, expect, type Page, test } from '@playwright/test'
import { aProduct, ELSEWHERE, type Product } from '#test-world/product.ts'
import {
  type Account,
  aMailboxAt,
  anAccount,
  anActiveDomain,
  mailedLink,
  PASSWORD,
} from '#test-world/trials/account.ts'
import { aSignedInBrowser, expectToast, logIn } from './browsers.ts'

let product: Product
test.beforeAll(async () => {
  product = await aProduct({ BILLING: 'invoice' })
})
test.afterAll(() => product.close())

let people = 0
const somebody = async (): Promise<Account> => {
  people += 1
  return anAccount(product, `ada${people}@${ELSEWHERE}`)
}
const at = async (browser: Browser, account: Account, path: string): Promise<Page> => {
  const { page } = await aSignedInBrowser(browser, product.url, account.email)
  await page.goto(`${product.url}/dashboard/${path}`)
  return page
}
test('the company profile is empty, refuses what is missing, and is kept', async ({ browser }) => {
  const page = await at(browser, await somebody(), 'settings')
  await expect(page).toHaveTitle('Settings | Mailstead')
  await page.getByRole('button', { name: 'Update' }).click()
  const refusals = {
    Name: 'Username is required',
    Phone: 'Phone number must be at least 6 digits',
    Address: 'Address is required',
    'Zip Code': 'Zip code is required',
    Country: 'Country is required',
    City: 'City is required',
    'Time Zone': 'Time zone is required',
    'Time Format': 'Time format is required',
  }
  for (const [label, message] of Object.entries(refusals))
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(message)
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()

  await page.getByLabel('Website').fill('engines')
  await page.getByLabel('Phone').fill('+44 20 7946 0018')
  await expect(page.getByLabel('Website')).toHaveAccessibleDescription('Enter a valid URL')
  await page.getByLabel('Website').fill('https://engines.example')
  await page.getByLabel('Name', { exact: true }).fill('Analytical Engines')
  await page.getByLabel('Address').fill('12 St James’s Square')
  await page.getByLabel('Zip Code').fill('SW1Y 4JH')
  await page.getByLabel('City').fill('London')
  await page.getByLabel('Country').click()
  const options = page.getByRole('option')
  await expect(options).toHaveCount(249)
  expect((await options.allInnerTexts()).slice(0, 3)).toEqual(['USA', 'Canada', 'UK'])
  // By keyboard: found by a part of its name.
  await page.keyboard.type('ger')
  await expect(options.first()).toHaveText('Germany')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Country')).toHaveText('Germany')
  await expect(page.getByLabel('Country')).toBeFocused()
  await page.getByLabel('Time Zone').click()
  await page.getByRole('option', { name: 'PST' }).click()
  await page.getByLabel('Time Format').click()
  await page.getByRole('option', { name: '24h' }).click()

  // Not saved yet: leaving asks.
  await page.getByRole('tab', { name: 'Users' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('City')).toHaveValue('London')
  await page.getByRole('button', { name: 'Update' }).click()
  await expectToast(page, 'Company profile updated')
  // Saved: leaving does not ask.
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(page.getByText('Users: 1')).toBeVisible()
  await page.goto(`${product.url}/dashboard/settings`)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Analytical Engines')
  await expect(page.getByLabel('Country')).toHaveText('Germany')
  await expect(page.getByLabel('Time Zone')).toHaveText(/^PST/)
})

test('what cannot be read or saved is said, and nothing that was typed is lost', async ({
  browser,
}) => {
  const page = await at(browser, await somebody(), 'settings?tab=users')
  const fail = { type: 'INTERNAL', message: 'Something went wrong', statusCode: 500, data: {} }
  const failing = (path: string, method: string) =>
    page.route(`**/api/v1${path}`, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, json: { ...fail, path } })
        : route.fallback(),
    )
  await expect(page.getByText('Users: 1')).toBeVisible()
  await failing('/members', 'GET')
  await page.reload()
  await expect(page.getByText('Error loading users')).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/api/v1/members')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Users: 1')).toBeVisible()

  await page.goto(`${product.url}/dashboard/profile`)
  await failing('/profile', 'PATCH')
  await page.getByLabel('First name').fill('Augusta')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'Error', 'Something went wrong')
  await expect(page.getByLabel('First name')).toHaveValue('Augusta')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.unroute('**/api/v1/profile')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'Profile updated')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard/domains`)
})

test('the users of the workspace stand in a table; the last Admin stays', async ({ browser }) => {
  const account = await somebody()
  const page = await at(browser, account, 'settings?tab=users')
  const table = page.getByRole('table', { name: 'Users' })
  for (const name of ['Name', 'Type', 'Last Login'])
    await expect(table.getByRole('columnheader', { name })).toBeVisible()
  const row = table.getByRole('row').filter({ hasText: account.email })
  await expect(row).toContainText('Ada Lovelace')
  await expect(row).toContainText('Admin')
  await expect(row).toContainText(/now|seconds? ago|minutes? ago/)
  await row.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Leave workspace' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expectToast(page, 'Error', 'A workspace keeps at least one Admin')
})

test('a name changes at once, an email when its link is opened', async ({ browser }) => {
  const account = await somebody()
  const fresh = `countess-${account.email}`
  const page = await at(browser, account, 'profile')
  await expect(page).toHaveTitle('Profile | Mailstead')
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Email').fill('ada')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()

  await page.getByLabel('First name').fill('Augusta')
  await page.getByLabel('Email').fill(fresh)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Please enter your current password')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'Please confirm your new email', fresh)
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Augusta Lovelace')

  const notice = await product.mailTo(account.email, 2)
  expect(notice.email.text).toContain(fresh)
  const link = await mailedLink(product, fresh)
  await page.goto(link.href)
  await expectToast(page, 'Email verified successfully', fresh)
  await expect(page).toHaveURL(`${product.url}/dashboard/profile`)
  await expect(page.getByLabel('Email')).toHaveValue(fresh)
})

test('a new password ends the other sessions', async ({ browser }) => {
  const account = await somebody()
  const other = await at(browser, account, 'domains')
  const page = await at(browser, account, 'profile')
  await page.getByRole('button', { name: 'Update password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update password' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  for (const message of [
    'Old password is required',
    'New password must be at least 6 characters',
    'Please confirm your new password',
  ])
    await expect(dialog.getByText(message)).toBeVisible()
  await dialog.getByLabel('Old Password').fill('Engine-No-9!')
  await dialog.getByLabel('New Password', { exact: true }).fill('Engine-No-2!')
  await dialog.getByLabel('Confirm New Password').fill('Engine-No-3!')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Passwords do not match')).toBeVisible()
  await dialog.getByLabel('Confirm New Password').fill('Engine-No-2!')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('The old password is not right')).toBeVisible()
  await dialog.getByLabel('Old Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Password updated successfully.')
  await expect(dialog).toBeHidden()

  await other.reload()
  await expect(other).toHaveURL(/\/login$/)
  await logIn(other, account.email, 'Engine-No-2!')
  await expect(other).toHaveURL(`${product.url}/dashboard/domains`)
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
})

test('a domain moves with its mailboxes and their bills to a workspace that was made for it', async ({
  browser,
}) => {
  const account = await somebody()
  const domain = await anActiveDomain(product, account, 'moves.example')
  const mailboxes = [
    await aMailboxAt(account, domain, 'ada'),
    await aMailboxAt(account, domain, 'mary'),
  ]
  await account.ask('POST', '/payments', { mailboxIds: mailboxes.map(({ _id }) => _id) })
  const page = await at(browser, account, 'profile')
  await page.getByRole('tab', { name: 'Billing' }).click()
  const bill = page.getByRole('row').filter({ hasText: 'Mailbox x 2' })
  for (const name of ['Product name', 'Amount', 'Date', 'Status'])
    await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await expect(bill).toContainText('$4')
  await expect(bill).toContainText('Due')

  const switcher = page.getByRole('button', { name: /^Workspace:/ })
  await switcher.click()
  await page.getByRole('menuitem', { name: 'Create workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create workspace' })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('Second')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Workspace created', 'Second')
  await expect(switcher).toContainText('Second')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(page.getByText('No domain available')).toBeVisible()

  await switcher.click()
  await page.getByRole('menuitemcheckbox', { name: 'Ada’s workspace' }).click()
  await expect(switcher).toContainText('Ada’s workspace')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await page.getByRole('button', { name: 'Actions for moves.example' }).click()
  await page.getByRole('menuitem', { name: 'Add to workspace' }).click()
  const move = page.getByRole('dialog', { name: 'Add to workspace' })
  await expect(move).toContainText('2 mailboxes')
  await expect(move).toContainText('$4 of 1 invoice')
  await move.getByRole('button', { name: 'Move domain' }).click()
  await expectToast(page, 'Domain moved', 'moves.example is now in Second.')
  await expect(page.getByText('No domain available')).toBeVisible()

  await switcher.click()
  await page.getByRole('menuitemcheckbox', { name: 'Second' }).click()
  await expect(switcher).toContainText('Second')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'moves.example' })).toContainText('Active')
  await page.goto(`${product.url}/dashboard/profile?tab=billing`)
  await expect(bill).toContainText('$4')
})

test('a tab stays in its workspace when another tab switches', async ({ browser }) => {
  const account = await somebody()
  await account.ask('POST', '/workspaces', { name: 'Second' })
  const page = await at(browser, account, 'settings')
  const switcher = page.getByRole('button', { name: /^Workspace:/ })
  await expect(switcher).toContainText('Second')
  const [first] = await account.ask('GET', '/workspaces')
  await account.ask('POST', `/workspaces/${first._id}/switch`)
  await page.reload()
  await expect(switcher).toContainText('Second')
  const { page: later } = await aSignedInBrowser(browser, product.url, account.email)
  await expect(later.getByRole('button', { name: /^Workspace:/ })).toContainText('Ada’s workspace')
})
