import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepEvent } from '#server/features/billing/stripe/take-events.ts'
import type { TestApp } from '#test-world/app.ts'
import { anInvoice, aWorkspace } from '#test-world/builders.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { checkCardPayments } from './check-card-payments.ts'

let app: TestApp
let stage: StripeStage
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp())
  stage.events.isPrompt = false
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
})
afterAll(() => app.close())

const said = async (given: Partial<TestApp> = {}) =>
  (await checkCardPayments({ ...app, ...given })).map(({ state, says }) => `${state}: ${says}`)
const NONE = 'Due invoices that no card pays: 0.'

test('an event that does not come is told, and the last one that came', async () => {
  expect(await said()).toEqual([`good: Stripe takes the key, and no event has come yet. ${NONE}`])
  stage.events.emit('customer.updated', { id: 'cus_1' })
  // Of no use here: it is not kept.
  stage.events.emit('product.created', { id: 'prod_1' })
  expect(await said()).toEqual([`good: Stripe takes the key, and no event has come yet. ${NONE}`])
  app.clock.advance({ minutes: 11 })
  expect(await said()).toEqual([
    'wrong: An event of Stripe of 2026-11-20 12:00 UTC did not come here; no event has come yet.',
  ])
  for (const event of stage.events.waiting.splice(0)) await keepEvent(app, event)
  expect(await said()).toEqual([
    `good: Stripe takes the key, and the last event came at 2026-11-20 12:11 UTC. ${NONE}`,
  ])
})

test('a key that Stripe refuses is told, with what to set', async () => {
  const stripe = { ...stage.settings, secretKey: 'sk_test_of_somebody_else' }
  const config = { ...app.config, stripe }
  const [finding] = await checkCardPayments({ ...app, config })
  expect(finding).toMatchObject({
    ...{ state: 'wrong', says: 'Stripe refuses the key of this installation.' },
    remedy: { kind: 'setting', text: 'STRIPE_SECRET_KEY=sk_...' },
  })
  stage.trouble = () => 'forbidden'
  expect(await said()).toEqual([
    'wrong: Stripe takes the key, but without the right to read events.',
  ])
  stage.trouble = () => 'none'
})

test('due invoices that no card pays are counted, and orders are not', async () => {
  const { id: workspaceId } = await aWorkspace(app)
  const due = { workspaceId, collection: 'card' } as const
  await anInvoice(app, { ...due, number: 1 })
  await anInvoice(app, { ...due, number: 2, paymentState: 'failed' })
  await anInvoice(app, { ...due, number: 3, reminders: 1 })
  await anInvoice(app, {
    ...due,
    number: 4,
    status: 'Paid',
    paymentState: null,
    collectedCents: 200,
  })
  expect((await said())[0]).toContain('Due invoices that no card pays: 2.')
  expect(await said({ config: { ...app.config, stripe: null } })).toEqual([])
})
