/** Somebody who writes a program reads the API: without an account, by keyboard, and by an address that leads to one operation. */
import { expect } from '@playwright/test'
import { test } from './specification/setting.ts'

test('a developer finds an operation by its words, and reads how to ask for it', async ({
  page,
  setting,
}) => {
  await page.goto(`${setting.product.url}/developers/api`)
  await page.getByLabel('Search operations').fill('every record verify-dns')
  const operations = page.getByRole('navigation', { name: 'Operations' })
  await expect(operations.getByRole('link')).toHaveText([/verifyDns/])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#verifyDns$/)
  const heading = page.getByRole('heading', { name: 'Look every record up now', exact: false })
  await expect(heading).toBeFocused()
  await expect(page.getByRole('region', { name: 'Request with curl' })).toContainText(
    `curl -X POST '${setting.product.url}/api/v1/dns-records/verify-dns/`,
  )
  await page.getByText('Fields of the answer').click()
  await expect(page.getByText('How to correct it, in one sentence')).toBeVisible()
  await expect(page.getByText('DOMAIN_NOT_VERIFIED')).toBeVisible()
  // Nothing is tried where it counts.
  await expect(page.getByRole('heading', { name: 'Try it in the demo' })).toHaveCount(0)
})

test('an address that names an operation shows it at once', async ({ page, setting }) => {
  await page.goto(`${setting.product.url}/developers/api#sendMessage`)
  await expect(page.getByRole('heading', { level: 2 }).last()).toHaveText(
    'Send a message, or save a draft',
  )
  await page.goto(`${setting.product.url}/developers/api#nothing`)
  await expect(page.getByText('There is no such operation')).toBeVisible()
})
