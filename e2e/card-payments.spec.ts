/** Money by card, on a stage of Stripe: the first payment on its page, a card whose bank asks, and money given back in parts. */
import { readFile } from 'node:fs/promises'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aStripeStage, type StripeStage } from '#test-world/stripe/stage.ts'
import { aPerson, aSetting, expect, makeOperator, test } from './specification/setting.ts'

let stage: StripeStage
let opened: Awaited<ReturnType<typeof aSetting>>
test.beforeAll(async () => {
  stage = await aStripeStage()
  const { secretKey, webhookSecret, api } = stage.settings
  opened = await aSetting({
    ...{ BILLING: 'stripe', STRIPE_SECRET_KEY: secretKey },
    ...{ STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API: api },
  })
  stage.events.deliverTo(opened.setting.product.url)
})
test.afterAll(async () => {
  await opened?.close()
  await stage?.close()
})

test('a card whose bank asks pays the first invoice, and an operator gives a part of it back', async ({
  browser,
}) => {
  const { setting } = opened
  const context = await browser.newContext({ baseURL: setting.product.url })
  const page = await context.newPage()
  const person = await aPerson(setting, context, page)
  await makeOperator(setting, person)
  const { workspace } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  for (const localPart of ['ada', 'bob'])
    await aMailbox(setting, { domain, localPart, status: 'inactive' })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Pay Now ($4)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay $4' }).click()

  // On Stripe's page: a refused card first, then one whose bank asks.
  const number = page.getByLabel('Card number')
  const pay = page.getByRole('button', { name: 'Pay 4.00 USD' })
  await number.fill('4000 0000 0000 9995')
  await pay.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await number.fill('4000 0027 6000 3184')
  await pay.click()
  await page.getByRole('button', { name: 'Confirm the payment' }).click()
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const { body } = await person.call('GET', '/mailboxes')
  expect(JSON.stringify(body)).not.toContain('"inactive"')

  await page.goto(`/operator/invoices/${id}`)
  await page.getByRole('button', { name: 'Give back' }).click()
  const question = page.getByRole('alertdialog')
  const amount = question.getByLabel('Amount in USD')
  await expect(amount).toHaveValue('4.00')
  await amount.fill('4.01')
  await question.getByRole('button', { name: /^Give/ }).click()
  await expect(amount).toHaveAccessibleDescription('Please type a sum up to $4.00')
  await amount.fill('1.50')
  await question.getByLabel('Reason').fill('A mailbox too many.')
  await question.getByRole('button', { name: 'Give $1.50 back' }).click()
  await expect(question).toHaveCount(0)
  expect([...stage.objects.refunds.values()].map((refund) => refund.amount)).toEqual([150])
  await page.goto(`/dashboard/invoices/${id}`)
  await expect(page.getByText('Credit note').first()).toBeVisible()

  // The table of this month and the one before; the wrong order is refused first.
  await page.goto('/operator?tab=invoices')
  await page.getByRole('button', { name: 'For the accountant' }).click()
  const form = page.getByRole('dialog')
  const last = form.getByLabel('Last month')
  const save = form.getByRole('button', { name: 'Save the table' })
  await last.click()
  await page.getByRole('option').nth(2).click()
  await save.click()
  await expect(last).toHaveAccessibleDescription('The last month is before the first')
  await last.click()
  await page.getByRole('option').first().click()
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(file.suggestedFilename()).toMatch(/^money-20\d\d-\d\d-20\d\d-\d\d\.csv$/)
  const rows = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  const sums = rows.map((row) => row.split(',')).map((cells) => [cells[0], cells[7]].join(' '))
  expect(sums).toEqual([
    ...['\uFEFFWhat Gross', 'Invoice 4.00', 'Credit note -1.50', 'Payment 4.00', 'Refund -1.50'],
  ])
  await expect(form).toHaveCount(0)
  await context.close()
})
