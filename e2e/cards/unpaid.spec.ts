/** An invoice that nobody pays suspends its mailbox until it is paid; and one that was paid is open again. */
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { failing } from '../specification/setting.ts'
import {
  expect,
  GOOD,
  mailAbout,
  payNow,
  payOnStripe,
  REFUSED_LATER,
  test,
  untilMorningOf,
} from './card-world.ts'

test('my mailbox is suspended for what I owe: it receives, says why, and works again when I pay', async ({
  world,
  payer,
}) => {
  const { page, mailbox } = payer
  await payNow(payer, REFUSED_LATER)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  await untilMorningOf(world, payer, '2027-01-06')
  const { text } = await mailAbout(world, payer, 'Mailboxes are suspended: invoice')
  expect(text).toContain('They still receive mail, and nothing is deleted.')
  const raw = `From: grace@elsewhere.example\r\nTo: ${mailbox.email}\r\nSubject: The mill\r\n\r\nShall we build it?\r\n`
  const letter = { from: 'grace@elsewhere.example', to: mailbox.email, raw }
  expect(await sendMail(world.smtpPort, letter)).toMatch(/^250 /)

  await page.goto('/dashboard/mailboxes')
  await expect(page.getByRole('row', { name: /ada@/ })).toContainText('Suspended, not paid')
  const mail = `/dashboard/view-mail?mailbox=${mailbox.id}`
  await page.goto(mail)
  await expect(page.getByRole('link', { name: /The mill/ })).toBeVisible()
  const why = page.getByText('This mailbox is suspended because its invoice is not paid')
  await expect(why).toContainText('it can receive mail, but not send it.')
  await why.getByRole('link', { name: 'Pay the invoice' }).click()
  // December's and January's are open: the card that pays the one pays the other.
  await page.getByRole('table', { name: 'Invoices' }).getByRole('link').nth(1).click()
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await payOnStripe(page, GOOD)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  await page.goto('/dashboard/profile?tab=billing')
  const paid = page.getByRole('row').filter({ hasText: 'Paid' })
  await expect(paid).toHaveCount(3)
  await page.goto(mail)
  await expect(page.getByRole('link', { name: /The mill/ })).toBeVisible()
  await expect(why).toHaveCount(0)
  const { objects } = world.stage
  const sums = [...objects.intents.values()].map((intent) => objects.leftOf(intent))
  expect(sums.reduce((sum, cents) => sum + cents, 0)).toBe(600)
})

test('an invoice whose payment went back says so, whatever the address says', async ({
  world,
  payer,
}) => {
  const { page } = payer
  await payNow(payer, GOOD)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/invoices\/[\w-]+$/)
  const address = page.url()
  const [intent] = world.stage.objects.intents.keys()
  world.stage.objects.refund(intent ?? '', 0)
  const open = page.getByText('$2.00 was given back, and is open again')
  await expect(open).toBeVisible()
  await page.goto(`${address}?payment=done`)
  await expect(open).toBeVisible()
  await expect(page).toHaveURL(address)

  const end = await failing(page, 'POST', '/invoices/*/look', { statusCode: 500 })
  await page.goto(`${address}?payment=done`)
  await expect(page.getByText('Stripe could not be asked about the payment')).toBeVisible()
  await end()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(open).toBeVisible()
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await payOnStripe(page, GOOD)
  await expect(page.getByText('Thank you, the invoice is paid')).toBeVisible()

  const second = [...world.stage.objects.intents.keys()].at(-1)
  const { id } = world.stage.objects.dispute(second ?? '')
  await expect(page.getByText('The bank is deciding about the payment')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('$2.00 waits for the bank')
  world.stage.objects.closeDispute(id, 'lost')
  await expect(page.getByText('The bank took $2.00 back, so it is open again')).toBeVisible()
})
