/** Somebody writes to the operator: from the address in the letter to the page that says what is the matter. */
import { makeOperator } from './screens/operator/fill-operating.ts'
import { aPerson, expect, expectToast, opened, test } from './specification/setting.ts'

test('an address, a name and a number each lead to a page, by keyboard alone', async ({
  person,
  page,
  setting,
  browser,
}) => {
  await makeOperator(setting, person)
  const context = await browser.newContext({ baseURL: setting.product.url })
  const customer = await aPerson(setting, context, await context.newPage())
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
  await context.close()
})

test('an invoice is found by its number and marked paid, which stands in the log', async ({
  person,
  page,
  setting,
}) => {
  await makeOperator(setting, person)
  const { db, clock } = setting
  const series = crypto.randomUUID().slice(0, 6).toUpperCase()
  const now = clock.now()
  const empty = { sellerAddress: '', sellerVatId: '', buyerAddress: '', buyerVatId: '', note: '' }
  await db
    .insertInto('invoices')
    .values({
      ...{ id: crypto.randomUUID(), workspaceId: person.workspace.id, series, number: 7 },
      ...{ kind: 'invoice', correctsId: null, amountCents: 1_234, mailboxCount: 3 },
      ...{
        currency: 'usd',
        taxName: '',
        taxRate: 0,
        taxCents: 0,
        periodStart: now,
        periodEnd: now,
      },
      ...{ createdAt: now, dueAt: now, sellerName: 'Us', sellerEmail: 'us@mailstead.example' },
      ...{ ...empty, paymentDetails: '', buyerName: 'Engines', status: 'Due', paidAt: null },
    })
    .execute()
  await opened(page, '/operator?tab=invoices&state=Due')
  await page.getByLabel('Search invoices').fill(`${series}-000007`)
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
    person.email,
  )
})
