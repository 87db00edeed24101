/** By keyboard alone: I pay by card, change the card, and an operator gives a part of the money back. */
import { expectAt, press, tabTo, typeInto } from '../keyboard/keys.ts'
import { expectToast, makeOperator, opened } from '../specification/setting.ts'
import { expect, GOOD, payOnStripe, test } from './card-world.ts'

test('I pay, look at the saved card, and give a part back', async ({ world, payer }) => {
  const { page } = payer
  await makeOperator(world.app, payer)
  await opened(page, '/dashboard/mailboxes')
  await press(page, 'button', 'Pay Now ($2)', { within: 40 })
  await press(page, 'button', 'Pay $2', { within: 20 })
  await page.getByRole('link', { name: 'Back' }).press('Enter')
  await expect(page.getByText('Nothing was charged')).toBeVisible()
  await press(page, 'button', 'Pay by card', { within: 40 })
  await payOnStripe(page, GOOD)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)

  await opened(page, '/dashboard/profile?tab=billing')
  await expect(page.getByText('Visa ending 4242')).toBeVisible()
  await press(page, 'button', 'Change card', { within: 40 })
  await page.getByRole('link', { name: 'Back' }).press('Enter')
  await expect(page.getByText('Visa ending 4242')).toBeVisible()

  await opened(page, `/operator/invoices/${id}`)
  await expect(page.getByRole('button', { name: 'Give back' })).toBeVisible()
  await press(page, 'button', 'Give back', { within: 40 })
  const amount = await tabToAmount()
  await page.keyboard.type('3')
  // Money goes by the button alone, not by Enter in a field.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await press(page, 'button', 'Give back', { within: 4 })
  await expect(amount).toHaveAccessibleDescription('Please type a sum up to $2.00')
  await page.keyboard.press('Escape')
  await expectAt(page, 'button', 'Give back')
  await page.keyboard.press('Enter')
  await typeInto(page, 'Amount in USD', '0.50', { within: 5 })
  await typeInto(page, 'Reason', 'As agreed.', { within: 1 })
  await press(page, 'button', 'Give $0.50 back', { within: 3 })
  await expectToast(page, '$0.50 of')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  async function tabToAmount() {
    await tabTo(page, 'textbox', 'Amount in USD', { within: 5 })
    await page.keyboard.press('Control+a')
    return page.getByLabel('Amount in USD')
  }
})
