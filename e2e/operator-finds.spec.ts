/** Somebody writes to the operator: from the address in the letter to the page that says what is the matter. */
import { anInvoice } from '#test-world/builders.ts'
import { expect, expectToast, opened, test } from './specification/setting.ts'

test('an address, a name and a number each lead to a page, by keyboard alone', async ({
  operator: { page },
  customer,
  setting,
}) => {
  const name = `Found ${crypto.randomUUID().slice(0, 8)}`
  await setting.db
    .updateTable('workspaces')
    .set({ name })
    .where('id', '=', customer.workspace.id)
    .execute()
  await opened(page, '/operator?tab=workspaces')
  const find = async (text: string) => {
    await page.getByRole('button', { name: 'Find' }).press('Enter')
    await page.getByLabel('Search pages').fill(text)
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.getByLabel('Search pages').press('Enter')
  }
  await find(customer.email)
  await expect(page).toHaveURL(/\/operator\/people\//)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('table', { name: 'Workspaces' })).toContainText(name)
  await find(name)
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await page.getByRole('row').filter({ hasText: customer.email }).getByRole('link').click()
  await expect(page).toHaveURL(/\/operator\/people\//)
  await page.goBack()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})

test('an invoice is found by its number and marked paid, which stands in the log', async ({
  operator,
  page,
  setting,
}) => {
  const series = crypto.randomUUID().slice(0, 6).toUpperCase()
  const workspaceId = operator.workspace.id
  await anInvoice(setting, { workspaceId, series, number: 7, amountCents: 1_234 })
  await opened(page, '/operator?tab=invoices&state=Due')
  await page.getByLabel('Search invoices').fill(`${series}-000007`)
  // Back finds what the URL has.
  await expect(page).toHaveURL(/q=/)
  await page.getByRole('link', { name: `MS-${series}-000007` }).click()
  await expect(page.getByText('$12.34').first()).toBeVisible()
  await page.getByRole('button', { name: 'Mark paid' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark paid' }).click()
  await expectToast(page, `MS-${series}-000007 is paid`)
  await expect(page.getByRole('button', { name: 'Mark paid' })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Invoices: 0' })).toBeVisible()
  await opened(page, `/operator?tab=log&q=${series}`)
  await expect(page.getByRole('row').filter({ hasText: 'invoice paid' })).toContainText(
    operator.email,
  )
})
