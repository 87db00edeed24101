import { afterAll, beforeAll, expect, test } from 'vitest'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { lookAtInvoice, openCheckout } from '#server/features/billing/stripe/pay-by-card.ts'
import { keepEvent } from '#server/features/billing/stripe/take-events.ts'
import type { TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { cardPayments } from './card-payments.ts'

let app: TestApp
let stage: StripeStage
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp())
})
afterAll(() => app.close())

test('what Stripe does not tell, and what our books say otherwise, is told to the operator', async () => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  const { id } = await aMailbox(app, { domain, status: 'inactive' })
  const { _id } = await payForMailboxes(app, who, [id], null)
  const { url } = await openCheckout(app, who, _id)
  expect(await cardPayments.look(app)).toBeNull()
  app.clock.advance({ hours: 27 })
  expect(await cardPayments.look(app)).toBe(
    'Payments by card that have been under way for more than a day: 1.',
  )
  app.clock.advance({ hours: -27 })
  stage.objects.pay(url.split('/').at(-1) ?? '', '4242424242424242')
  await lookAtInvoice(app, who, _id)
  expect(await cardPayments.look(app)).toBeNull()
  app.clock.advance({ hours: 2 })
  expect(await cardPayments.look(app)).toBe('Payments by card of which Stripe sent no event: 1.')
  for (const event of stage.events.waiting) await keepEvent(app, event)
  expect(await cardPayments.look(app)).toBeNull()
  await app.db.updateTable('stripeEvents').set({ tries: 6 }).execute()
  const stuck = stage.events.waiting.length
  expect(await cardPayments.look(app)).toBe(`Events of Stripe that cannot be looked at: ${stuck}.`)
  await app.db.updateTable('stripeEvents').set({ nextAt: null }).execute()
  const held = { state: 'confirming', reason: 'It was paid in another currency' } as const
  await app.db.updateTable('cardPayments').set(held).execute()
  expect(await cardPayments.look(app)).toBe(
    'Payments in another currency than that of their invoice, to be given back at Stripe: 1.',
  )
  await app.db.updateTable('cardPayments').set({ state: 'paid', reason: '' }).execute()
  await app.db.updateTable('invoices').set({ collectedCents: 0 }).where('id', '=', _id).execute()
  expect(await cardPayments.look(app)).toBe(
    'Invoices whose sum is not what their payments by card say: 1.',
  )
  const config = { ...app.config, stripe: null }
  expect(await cardPayments.look({ ...app, config })).toBeNull()
})
