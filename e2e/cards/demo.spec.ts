/** An operator tries card payments in the demo, without an account at Stripe: a first payment, the next months, a refused card, another one. */
import { expect, type Page } from '@playwright/test'
import { type RunningDemo, runDemo } from '../../demo/run-demo.ts'
import { axeFaults } from '../screens/faults/axe-faults.ts'
import { widthFaults } from '../screens/faults/width-faults.ts'
import { test } from '../test.ts'

let demo: RunningDemo
test.beforeAll(async () => {
  demo = await runDemo(undefined, undefined, { BILLING: 'stripe' })
})
test.afterAll(async () => {
  demo.signal('SIGINT')
  expect(await demo.ended, demo.output()).toBe(0)
})

const billing = () => `${demo.url}/dashboard/profile?tab=billing`
const newest = (page: Page) => page.getByRole('table', { name: 'Invoices' }).getByRole('row').nth(1)

const nextMonth = async (page: Page): Promise<void> => {
  await page.goto(demo.cards)
  await page.getByRole('button', { name: 'the invoice of the month' }).click()
  await expect(page.getByRole('status')).toContainText('One invoice was made')
}

const changeCard = async (page: Page, card: string): Promise<void> => {
  await page.goto(billing())
  await page.getByRole('button', { name: 'Change card' }).click()
  await page.getByRole('button', { name: card, exact: true }).click()
}

test('I add a card, pay an invoice, and see what becomes of the next months', async ({ page }) => {
  await page.goto(`${demo.url}/login`)
  await page.getByLabel('Email').fill(demo.email)
  await page.getByLabel('Password', { exact: true }).fill(demo.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(`${demo.url}/dashboard`)
  await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
  await page.getByRole('button', { name: 'Pay Now ($12)' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay $12' }).click()

  await expect(page.getByRole('note')).toContainText('stands in for Stripe. No money moves')
  await expect(page.getByRole('heading', { name: 'Pay 12.00 USD' })).toBeVisible()
  expect.soft(await axeFaults(page, 'all')).toEqual([])
  expect.soft(await widthFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'A card that is declined', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'A card that asks for 3-D Secure' }).click()
  await page.getByRole('button', { name: 'Confirm the payment' }).click()
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()

  await changeCard(page, 'A card that is declined next month')
  await expect(page.getByText('Visa ending 0341')).toBeVisible()
  await nextMonth(page)
  await page.goto(billing())
  await expect(newest(page)).toContainText('$212')
  await expect(newest(page)).toContainText('Card refused')

  await page.goto(demo.cards)
  await page.getByRole('button', { name: 'Let a week pass' }).click()
  await expect(page.getByRole('status')).toContainText(' 8, ')

  await changeCard(page, 'A card that works')
  await expect(page.getByText('Visa ending 4242')).toBeVisible()
  await expect(newest(page)).toContainText('Paid')
  await nextMonth(page)
  await page.goto(billing())
  await expect(newest(page)).toContainText('Paid')

  await page.goto(demo.cards)
  await expect(page.getByText('212.00 USD, succeeded')).toHaveCount(2)
  await page.getByRole('button', { name: 'Give back' }).first().click()
  await page.goto(billing())
  await expect(newest(page)).toContainText('Due')
})
