import { afterAll, beforeAll, expect, test } from 'vitest'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { markInvoicePaid } from '#server/features/billing/settle-invoice.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { openCheckout } from '#server/features/billing/stripe/pay-by-card.ts'
import { endDueDeletions } from '#server/features/deletions/end-deleted.ts'
import type { TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { hearEvents } from '#test-world/stripe/settle-payments.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { deleteAsOperator } from './delete-workspace.ts'
import { exportMoney } from './export-money.ts'
import { giveBack, showInvoice } from './invoices.ts'

let app: TestApp
let stage: StripeStage
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp({ config: { tax: { name: 'VAT', rate: 1900 } } }))
})
afterAll(() => app.close())

const GOOD = '4242424242424242'

/** One that is paid by card at the clock's time. */
const paidInvoice = async () => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  const { id } = await aMailbox(app, { domain, status: 'inactive' })
  const invoice = await payForMailboxes(app, who, [id], null)
  const { url } = await openCheckout(app, who, invoice._id)
  stage.objects.pay(url.split('/').at(-1) ?? '', GOOD)
  await look()
  const ofInvoice = ({ metadata }: { metadata: { invoice?: string } }) =>
    metadata.invoice === invoice._id
  const intent = [...stage.objects.intents.values()].find(ofInvoice)
  return { who, ...invoice, intent: intent?.id ?? '' }
}

/** Events come, and Stripe is asked. */
const look = async () => {
  app.clock.advance({ minutes: 2 })
  await hearEvents(app, stage)
  await collectPayments(app)
}

/** What came in and went back of an invoice in a month. */
const moved = async (period: string, number: string) =>
  (await exportMoney(app.db, { firstMonth: period, lastMonth: period }))
    .split('\r\n')
    .map((line) => line.split(','))
    .filter(([what, of]) => of === number && what !== 'Invoice' && what !== 'Credit note')
    .map(([what, , day, , , , , gross]) => `${day} ${what} ${gross}`)

test('an operator gives money back, and the accountant reads all of it', async () => {
  const invoice = await paidInvoice()
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
  const november = { firstMonth: '2026-11', lastMonth: '2026-11' }
  const text = await exportMoney(app.db, november)
  expect(text.trimEnd().split('\r\n')).toEqual(table)
  expect(await exportMoney(app.db, { firstMonth: '2026-10', lastMonth: '2027-01' })).toBe(text)
  expect(
    (await exportMoney(app.db, { firstMonth: '2026-12', lastMonth: '2026-12' })).split('\r\n'),
  ).toHaveLength(2)
  const german = await exportMoney(app.db, november, { separator: ';', decimal: ',' })
  expect(german).toContain(
    `Credit note;${credit};2026-11-20;Analytical Engines;;"-0,63";"-0,12";"-0,75"`,
  )
  for (const until of ['2026-10', '2028-11'])
    await expect(
      exportMoney(app.db, { firstMonth: '2026-11', lastMonth: until }),
    ).rejects.toMatchObject({
      type: 'VALIDATION',
    })
})

test('what goes back stands in its own month, and what was paid by hand stays', async () => {
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  const { number, intent } = await paidInvoice()
  const november = await moved('2026-11', number)
  expect(november).toEqual(['2026-11-20 Payment 2.00'])
  app.clock.set(new Date('2026-12-31T23:59:00Z'))
  stage.objects.refund(intent, 80)
  // It is seen in January.
  await look()
  expect(await moved('2026-12', number)).toEqual([
    '2026-12-31 Returned at Stripe or by a bank -0.80',
  ])
  await markInvoicePaid(app, number)
  app.clock.set(new Date('2027-02-10T12:00:00Z'))
  const dispute = stage.objects.dispute(intent)
  await look()
  expect((await showInvoice(app, number)).status).toBe('Due')
  app.clock.set(new Date('2027-03-05T12:00:00Z'))
  stage.objects.closeDispute(dispute.id, 'won')
  await look()
  await look()
  expect(await moved('2026-11', number)).toEqual(november)
  expect(await moved('2027-01', number)).toEqual(['2027-01-01 Payment by hand 0.80'])
  expect(await moved('2027-02', number)).toEqual([
    '2027-02-10 Returned at Stripe or by a bank -1.20',
  ])
  expect(await moved('2027-03', number)).toEqual(['2027-03-05 Return that came back 1.20'])
})

test('a refund that its bank did not take comes back in the month in which it failed', async () => {
  app.clock.set(new Date('2027-04-20T12:00:00Z'))
  const { number } = await paidInvoice()
  await giveBack(app, 'ops@example.org', number, { cents: 200, note: 'All of it.' })
  app.clock.set(new Date('2027-05-02T12:00:00Z'))
  stage.objects.failRefund([...stage.objects.refunds.keys()].at(-1) ?? '')
  await look()
  expect(await moved('2027-04', number)).toEqual([
    '2027-04-20 Payment 2.00',
    '2027-04-20 Refund -2.00',
  ])
  expect(await moved('2027-05', number)).toEqual(['2027-05-02 Refund that came back 2.00'])
})

test('the books outlive the workspace: what was charged stays, and what goes back later is added', async () => {
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  const { who, number, intent } = await paidInvoice()
  const november = { firstMonth: '2026-11', lastMonth: '2026-11' }
  const before = await exportMoney(app.db, november)
  const { name } = await app.db
    .selectFrom('workspaces')
    .select('name')
    .where('id', '=', who.workspaceId)
    .executeTakeFirstOrThrow()
  await deleteAsOperator(app, 'terminal', who.workspaceId, { name, isNow: true })
  await endDueDeletions(app)
  const members = app.db.selectFrom('members').where('workspaceId', '=', who.workspaceId)
  expect(await members.select('userId').execute()).toEqual([])
  expect(await exportMoney(app.db, november)).toBe(before)
  app.clock.set(new Date('2026-12-10T12:00:00Z'))
  await giveBack(app, 'terminal', number, { cents: 50, note: 'It ended in the month.' })
  stage.objects.dispute(intent)
  await look()
  expect(await moved('2026-12', number)).toEqual([
    '2026-12-10 Refund -0.50',
    '2026-12-10 Returned at Stripe or by a bank -1.50',
  ])
  expect((await showInvoice(app, number)).document.credits).toHaveLength(1)
})
