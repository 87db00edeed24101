/** What is agreed before Pay is pressed, and the invoice as a page, on paper and as a file. */
import { readFile } from 'node:fs/promises'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { pdfPages } from '#test-world/pdf-text.ts'
import { expect, test } from './specification/setting.ts'

const inDays = (days: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.now() + days * 86_400_000,
  )

const thisMonth = () => {
  const now = new Date()
  const day = (months: number, days: number) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, days),
    )
  return { start: day(0, 1), end: day(1, 0), next: day(1, 1) }
}

test('who pays is asked in the dialog, and one more gives everybody access', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  for (const localPart of ['ada', 'bob'])
    await aMailbox(setting, { domain, localPart, status: 'inactive' })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Pay Now ($4)' }).click()
  const question = page.getByRole('alertdialog', { name: 'Pay $4 for 2 mailboxes?' })
  const who = question.getByRole('region', { name: 'Who pays' })
  await expect(who).toContainText(`it names only the workspace, ${workspace.name}.`)
  await who.getByLabel('Company or name').fill('Maier Garten GmbH')
  // A half of it is refused, and nothing is paid.
  await question.getByRole('button', { name: 'Pay $4' }).click()
  await expect(who.getByLabel('Address')).toHaveAccessibleDescription('Address is required')
  await who.getByLabel('Address').fill('Gartenweg 3')
  await who.getByLabel('Zip Code').fill('20095')
  await who.getByLabel('City').fill('Hamburg')
  await who.getByLabel('Country').click()
  await page.getByRole('option', { name: 'Germany' }).click()
  await question.getByRole('button', { name: 'Pay $4' }).click()
  await expect(question).toHaveCount(0)
  const { items } = (await call('GET', '/invoices')).body as { items: { _id: string }[] }
  expect(items).toHaveLength(1)
  const { body: invoice } = await call('GET', `/invoices/${items[0]?._id}`)
  expect(invoice).toMatchObject({
    buyer: { name: 'Maier Garten GmbH', address: 'Gartenweg 3\n20095 Hamburg\nGermany' },
  })

  const next = page.getByRole('region', { name: 'Next step' })
  await expect(next).toContainText('2 mailboxes are active, and nobody can read them yet.')
  await next.getByRole('button', { name: 'Give access to all 2' }).click()
  const access = page.getByRole('dialog')
  await expect(access).toHaveAccessibleName('Set up access to 2 mailboxes')
  await access.getByRole('button', { name: 'Make 2 links' }).click()
  await expect(access.getByRole('status')).toHaveText('2 done')
  const saving = page.waitForEvent('download')
  await access.getByRole('button', { name: 'Download 2 links' }).click()
  await saving
  await access.getByRole('button', { name: 'Done' }).click()
  await expect(next).toHaveCount(0)
})

test('the first wrong field of the buyer has the focus, and its message is seen', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  for (let n = 0; n < 12; n++)
    await aMailbox(setting, { domain, localPart: `person${n}`, status: 'inactive' })
  for (const size of [
    { width: 1440, height: 600 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/dashboard/mailboxes')
    await page.getByRole('button', { name: /^Pay Now/ }).click()
    const question = page.getByRole('alertdialog')
    await question.getByLabel('Company or name').fill('Maier Garten GmbH')
    await question.getByLabel('Address').fill('Gartenweg 3')
    await question.getByLabel('Zip Code').fill('20095')
    await question.getByLabel('City').fill('Hamburg')
    // Scrolled back to what is agreed: the fields are out of sight.
    await question.getByText('We make an invoice of').scrollIntoViewIfNeeded()
    await expect(question.getByLabel('VAT ID')).not.toBeInViewport()
    const pay = question.getByRole('button', { name: /^Pay / })
    await pay.click()
    const country = question.getByRole('combobox', { name: 'Country' })
    await expect(country).toBeFocused()
    const message = question.getByText('Country is required')
    await expect(message).toBeInViewport({ ratio: 1 })
    await expect
      .poll(async () => {
        const [said, button] = [await message.boundingBox(), await pay.boundingBox()]
        return (said?.y ?? 0) + (said?.height ?? 0) <= (button?.y ?? 0)
      })
      .toBe(true)
    await question.getByRole('button', { name: 'Cancel' }).click()
  }
})

test('an Admin reads what they agree to, pays, and reads, prints and saves the invoice', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const company = {
    ...{ name: 'Zürich & Łódź AG', vatId: 'CHE-123.456.789 MWST', phone: '+41 44 000 00 00' },
    ...{ address: 'Bahnhofstrasse 1', zipCode: '8001', city: 'Zürich', country: 'CH' },
    ...{ timeZone: 'Europe/Zurich', timeFormat: '24h' },
  }
  expect((await call('PUT', '/company', company)).status).toBe(200)
  for (const name of ['one-client.example', 'other-client.example']) {
    const domain = await aDomain(setting, { workspaceId: workspace.id, active: true, name })
    await aMailbox(setting, { domain, status: 'inactive' })
  }
  await page.goto('/dashboard/new-mail-box')
  await expect(page.getByRole('dialog')).toContainText(
    'A mailbox costs $2 for each calendar month.',
  )

  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Pay Now ($4)' }).click()
  const question = page.getByRole('alertdialog', { name: 'Pay $4 for 2 mailboxes?' })
  await expect(question).toContainText('Whom you pay')
  await expect(question).toContainText('localhost, by the invoice. Nothing is charged now.')
  await expect(question).toContainText(`${inDays(14)}. The Admins get the invoice by mail`)
  await expect(question).toContainText('$2 for each of them, until the mailbox is deleted.')
  const { start, end, next } = thisMonth()
  await expect(question).toContainText(`${start} to ${end}: a part of a month costs as much`)
  await expect(question).toContainText(`The next invoice comes on ${next}.`)
  const who = question.getByRole('region', { name: 'Who pays' })
  await expect(who).toContainText('Zürich & Łódź AG')
  await expect(who).toContainText('8001 Zürich, Switzerland')
  await question.getByRole('button', { name: 'Pay $4' }).click()
  await page.getByRole('button', { name: 'View invoice' }).click()

  const heading = page.getByRole('heading', { level: 1, name: /^Invoice MS-/ })
  await expect(heading).toBeFocused()
  const number = (await heading.innerText()).replace('Invoice ', '')
  await expect(page).toHaveTitle(`Invoice ${number} | Mailstead`)
  const main = page.getByRole('main')
  await expect(main).toContainText(`$4.00 to be paid by ${inDays(14)}`)
  for (const text of ['Zürich & Łódź AG', '8001 Zürich', 'Switzerland', 'CHE-123.456.789 MWST'])
    await expect(main).toContainText(text)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell')
  await expect(row('one-client.example')).toHaveText(['one-client.example', '1', '$2.00', '$2.00'])
  await expect(main).toContainText('Total USD$4.00')

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const chrome of [page.getByRole('banner'), page.getByRole('button', { name: 'Print' })])
    await expect(chrome).toBeHidden()
  await expect(main.getByText(`Invoice ${number}`, { exact: true }).last()).toBeVisible()
  await page.emulateMedia({ media: 'screen', colorScheme: null })

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`${number}.pdf`)
  const pages = pdfPages(await readFile(await file.path()))
  expect(pages).toHaveLength(1)
  for (const text of [`Invoice ${number}`, 'Zürich & Łódź AG', 'other-client.example', '$4.00'])
    expect(pages[0]).toContain(text)

  await page.goto('/dashboard/profile?tab=billing')
  await page.getByRole('link', { name: number }).click()
  await expect(heading).toBeVisible()
  await page.goto('/dashboard/invoices/nowhere')
  await expect(page.getByText('This invoice is not in your workspace')).toBeVisible()
  await page.getByRole('link', { name: 'Go to Billing' }).click()
  await expect(page).toHaveURL(/tab=billing$/)
  await page.goto('/dashboard/settings')
  await page.getByRole('main').getByRole('link', { name: 'Billing' }).click()
  await expect(page).toHaveURL(/tab=billing$/)
})
