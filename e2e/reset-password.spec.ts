/** A forgotten password: the mailed link sets a new one, and every session ends. */
import { expect } from '@playwright/test'
import { ELSEWHERE, type Product } from '#test-world/product.ts'
import { anAccount, mailedLink, PASSWORD } from '#test-world/trials/account.ts'
import { aSignedInBrowser, expectToast, logIn } from './browsers.ts'
import { test } from './specification/setting.ts'

const ADA = `forgetful@${ELSEWHERE}`
const NEW_PASSWORD = 'Analytical-2!'

let product: Product
test.beforeAll(async ({ setting }) => {
  product = setting.product
  await anAccount(product, ADA)
})

/** Before it came the mails that verified the address, welcomed its owner and told of the second browser. */
const resetLink = async (count = 1): Promise<URL> => {
  const link = await mailedLink(product, ADA, count)
  return link.pathname === '/create-new-password' ? link : resetLink(count + 1)
}

test('I forgot my password and set a new one; my other browsers are logged out', async ({
  browser,
  page,
}) => {
  const at = (path: string) => product.url + path
  const live = await aSignedInBrowser(browser, product.url, ADA)
  const quiet = await aSignedInBrowser(browser, product.url, ADA)
  // This page gets no event until the user clicks.
  await quiet.context.route('**/api/v1/events', (route) => route.abort())
  await quiet.page.reload()
  await expect(quiet.page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  await page.goto(at('/login'))
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot Password?' })).toBeVisible()
  await page.getByLabel('Email').fill(ADA)
  await page.getByRole('button', { name: 'Send Email' }).click()
  await expect(page).toHaveURL(/\/email-verification\?email=/)
  await expect(page.getByText(ADA)).toBeVisible()

  const link = await resetLink()
  expect(link.href).toMatch(at('/create-new-password?token='))
  await page.goto(link.href)
  // The token does not stay in the address.
  await expect(page).toHaveURL(at('/create-new-password'))
  await page.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Confirm Password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Save New Password' }).click()
  await expectToast(page, 'Password updated successfully.')
  await expect(page).toHaveURL(at('/login'))

  await expect(live.page).toHaveURL(at('/login'))
  await expectToast(live.page, 'Session Expired!!', 'Your session has been expired')
  await quiet.page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await expect(quiet.page).toHaveURL(at('/login'))
  await expectToast(quiet.page, 'Session Expired!!', 'Your session has been expired')

  await logIn(page, ADA, PASSWORD)
  await expectToast(page, 'Error', 'Invalid email or password')
  await logIn(page, ADA, NEW_PASSWORD)
  await expect(page).toHaveURL(at('/dashboard'))
  await logIn(quiet.page, ADA, NEW_PASSWORD)
  await expect(quiet.page).toHaveURL(at('/dashboard/domains'))

  // The link is used up.
  await live.page.goto(link.href)
  await live.page.getByLabel('New Password', { exact: true }).fill(PASSWORD)
  await live.page.getByLabel('Confirm Password').fill(PASSWORD)
  await live.page.getByRole('button', { name: 'Save New Password' }).click()
  await expectToast(live.page, 'Error', 'This link')
  await Promise.all([live.context.close(), quiet.context.close()])
})
