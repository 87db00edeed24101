import { afterAll, beforeAll, expect, test } from 'vitest'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { openCheckout } from '#server/features/billing/stripe/pay-by-card.ts'
import type { TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { exportMoney } from './export-money.ts'
import { giveBack, showInvoice } from './invoices.ts'

let app: TestApp
let stage: StripeStage
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp({ config: { tax: { name: 'VAT', rate: 1900 } } }))
})
afterAll(() => app.close())

test('an operator gives money back, and the accountant reads all of it', async () => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  const { id } = await aMailbox(app, { domain, status: 'inactive' })
  const invoice = await payForMailboxes(app, who, [id], null)
  const { url } = await openCheckout(app, who, invoice._id)
  stage.objects.pay(url.split('/').at(-1) ?? '', '4242424242424242')
  app.clock.advance({ minutes: 2 })
  await collectPayments(app)
  const refund = { cents: 75, note: 'Half of it was not used.' }
  expect(await giveBack(app, 'ops@example.org', invoice.number, refund)).toMatchObject({
    status: 'Paid',
  })
  const { payments, document } = await showInvoice(app, invoice.number)
  expect(payments).toMatchObject([
    { state: 'paid', amountCents: 200, leftCents: 125, refundedCents: 75 },
  ])
  const [{ stripeId } = { stripeId: '' }] = payments
  const credit = document.credits[0]?.number
  const rest = '2026-11-20,Analytical Engines,,'
  const table = [
    'What,Number,Date,Buyer,VAT ID,Net,Tax,Gross,Currency,Payment at Stripe,State',
    `Invoice,${invoice.number},${rest}1.68,0.32,2.00,USD,,Paid`,
    `Credit note,${credit},${rest}-0.63,-0.12,-0.75,USD,,Credited`,
    `Payment,${invoice.number},${rest},,2.00,USD,${stripeId},Paid`,
    `Refund,${invoice.number},${rest},,-0.75,USD,${stripeId},Done`,
  ]
  expect((await exportMoney(app.db, '2026-11')).trimEnd().split('\r\n')).toEqual(table)
  expect(await exportMoney(app.db, '2026-Q4')).toBe(await exportMoney(app.db, '2026-11'))
  expect((await exportMoney(app.db, '2026-12')).split('\r\n')).toHaveLength(2)
  await expect(exportMoney(app.db, '2026-13')).rejects.toMatchObject({ type: 'VALIDATION' })
})
