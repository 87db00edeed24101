/** The months after the first payment: the saved card pays, is refused, or its bank asks; and another card is saved. */
import type { Page } from '@playwright/test'
import {
  ASKS,
  expect,
  GOOD,
  mailAbout,
  payNow,
  payOnStripe,
  REFUSED_LATER,
  test,
  untilMorningOf,
} from './card-world.ts'

const BILLING = '/dashboard/profile?tab=billing'

const rows = (page: Page) => page.getByRole('table', { name: 'Invoices' }).getByRole('row')
const panel = (page: Page) => page.getByRole('main').getByRole('status')

test('my saved card pays the run of the month, once', async ({ world, payer }) => {
  const { page } = payer
  await payNow(payer, GOOD)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  await untilMorningOf(world, payer, '2026-12-03')
  await page.goto(BILLING)
  await expect(page.getByText('Visa ending 4242')).toBeVisible()
  await expect(page.getByText('Expires 04/2032')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Paid' })).toHaveCount(2)
  await expect(rows(page).nth(1)).toContainText('Dec 1, 2026')
  const paid = [...world.stage.objects.intents.values()].map(({ amount, status }) => [
    amount,
    status,
  ])
  expect(paid).toEqual([
    [200, 'succeeded'],
    [200, 'succeeded'],
  ])
})

test('my bank asks again a month later: I decline, and confirm it then', async ({
  world,
  payer,
}) => {
  const { page } = payer
  await payNow(payer, ASKS)
  await page.getByRole('button', { name: 'Confirm the payment' }).click()
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  await untilMorningOf(world, payer, '2026-12-01')
  const { link } = await mailAbout(world, payer, 'Please confirm the payment of invoice')

  await page.goto(link)
  await expect(panel(page)).toContainText('The bank asks the owner of the card to confirm')
  const confirm = page.getByRole('button', { name: 'Confirm the payment' })
  await confirm.click()
  await payOnStripe(page, ASKS)
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('alert')).toHaveText('The bank did not confirm it')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(panel(page)).toContainText('The bank asks the owner of the card to confirm')
  await expect(page).toHaveURL(link)

  await confirm.click()
  await payOnStripe(page, ASKS)
  await page.getByRole('button', { name: 'Confirm the payment' }).click()
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  const sums = [...world.stage.objects.intents.values()].map((intent) =>
    world.stage.objects.leftOf(intent),
  )
  expect(sums).toEqual([200, 0, 200])
})

test('my card is refused: a reminder leads me to the invoice, and a new card pays it', async ({
  world,
  payer,
}) => {
  const { page } = payer
  await payNow(payer, REFUSED_LATER)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  await untilMorningOf(world, payer, '2026-12-19')
  await mailAbout(world, payer, 'Your card was not charged for invoice')
  const { link } = await mailAbout(world, payer, 'is overdue')
  await page.goto(link)
  await expect(panel(page)).toContainText('The card was not charged')
  await expect(panel(page)).toContainText('The bank refused the card.')

  // To Stripe's page and back, and again with another card.
  await page.goto(BILLING)
  await expect(rows(page).nth(1)).toContainText('Card refused')
  const change = page.getByRole('button', { name: 'Change card' })
  await change.click()
  await expect(page.getByRole('heading', { name: 'Your card' })).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByText('Visa ending 0341')).toBeVisible()
  await change.click()
  await page.getByLabel('Card number').fill('5555 5555 5555 4444')
  await page.getByRole('button', { name: 'Save the card' }).click()
  await expect(page.getByText('Mastercard ending 4444')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Paid' })).toHaveCount(2)
  await page.goto(link)
  await expect(page.getByRole('main')).toContainText('Paid')
  await expect(page.getByRole('button', { name: 'Pay by card' })).toHaveCount(0)
})
