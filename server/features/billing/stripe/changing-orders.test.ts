/** Attacks on payments by card: several at once, and what changes between an order and its payment. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { deleteAsOperator } from '#server/features/operating/delete-workspace.ts'
import type { TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { settlePayments } from '#test-world/stripe/settle-payments.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { followUnpaid } from '../follow-unpaid.ts'
import { getInvoice, invoiceMonth, listInvoices } from '../invoices.ts'
import { payForMailboxes } from '../pay-for-mailboxes.ts'
import { collectPayments } from './collect-payments.ts'
import { lookAtInvoice, openCheckout } from './pay-by-card.ts'

const GOOD = '4242424242424242'
const REFUSED_LATER = '4000000000000341'

let app: TestApp
let stage: StripeStage
let who: Who
let mailboxId: string
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp())
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  mailboxId = (await aMailbox(app, { domain, status: 'inactive' })).id
})

const order = (as: TestApp = app) => payForMailboxes(as, who, [mailboxId], null)
const pageOf = async (invoiceId: string) =>
  (await openCheckout(app, who, invoiceId)).url.split('/').at(-1) ?? ''
const payAt = async (invoiceId: string, card = GOOD) =>
  stage.objects.pay(await pageOf(invoiceId), card)
const settle = () => settlePayments(app, stage)
const paid = async (card = GOOD) => {
  const { _id } = await order()
  await payAt(_id, card)
  await settle()
  return _id
}
const charged = () =>
  [...stage.objects.intents.values()]
    .filter(({ metadata }) => metadata.workspace === who.workspaceId)
    .reduce((sum, intent) => sum + stage.objects.leftOf(intent), 0)
const invoices = async () => (await listInvoices(app, who, { limit: 50 })).items
const newest = async () => (await invoices())[0]?._id ?? ''
const statusOf = async (id: string) => (await getInvoice(app, who, id)).status
const isDone = (result: PromiseSettledResult<unknown>) => result.status === 'fulfilled'
const withConfig = (config: Partial<TestApp['config']>): TestApp => ({
  ...app,
  config: { ...app.config, ...config },
})

describe('several at once', () => {
  test('two browsers that order and open the page get one invoice and one page', async () => {
    const orders = await Promise.all([order(), order(), order()])
    expect(new Set(orders.map(({ _id }) => _id)).size).toBe(1)
    const id = orders[0]?._id ?? ''
    const pages = await Promise.all([pageOf(id), pageOf(id), pageOf(id)])
    expect(new Set(pages).size).toBe(1)
    stage.objects.pay(pages[0] ?? '', GOOD)
    expect(() => stage.objects.pay(pages[1] ?? '', GOOD)).toThrow('not open')
    await Promise.all([settle(), lookAtInvoice(app, who, id), collectPayments(app)])
    expect(await statusOf(id)).toBe('Paid')
    expect(charged()).toBe(200)
  })

  test('a person who pays while the month is charged by two workers pays once', async () => {
    await paid()
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await Promise.all([invoiceMonth(app), invoiceMonth(app)])
    const id = await newest()
    const page = pageOf(id).then(
      (session) => stage.objects.pay(session, GOOD),
      () => null,
    )
    await Promise.all([collectPayments(app), page, collectPayments(app)])
    await settle()
    expect(await invoices()).toHaveLength(2)
    expect(await statusOf(id)).toBe('Paid')
    expect(charged()).toBe(400)
  })

  test('a workspace that is deleted while its order is paid keeps neither money nor debt', async () => {
    const { _id } = await order()
    const session = await pageOf(_id)
    const { name } = await app.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', who.workspaceId)
      .executeTakeFirstOrThrow()
    const [deleted] = await Promise.allSettled([
      deleteAsOperator(app, 'terminal', who.workspaceId, { name, isNow: false }),
      (async () => stage.objects.pay(session, GOOD))(),
    ])
    await settle()
    const status = await statusOf(_id)
    expect(['Paid', 'Credited']).toContain(status)
    expect(charged()).toBe(status === 'Paid' ? 200 : 0)
    expect(isDone(deleted)).toBe(true)
  })
})

describe('what changes between an order and its payment', () => {
  test('the month: an order of an earlier one is taken back, by a page and by a new card', async () => {
    const { _id } = await order()
    await pageOf(_id)
    app.clock.set(new Date('2026-12-05T12:00:00Z'))
    await expect(openCheckout(app, who, _id)).rejects.toMatchObject({
      type: 'NOTHING_TO_PAY',
      message: expect.stringContaining('The month of this invoice has ended'),
    })
    expect(await statusOf(_id)).toBe('Credited')
    const again = await order()
    await payAt(again._id)
    await settle()
    expect(charged()).toBe(200)
    expect(await invoiceMonth(app)).toBe(0)
  })

  test.each([false, true])(
    'the month: a page that is open over its end is closed, unless it was paid: %s',
    async (isPaid) => {
      app.clock.set(new Date('2026-11-30T23:50:00Z'))
      const { _id } = await order()
      const session = await pageOf(_id)
      app.clock.set(new Date('2026-12-01T00:21:00Z'))
      if (isPaid) stage.objects.pay(session, GOOD)
      await collectPayments(app)
      expect(stage.objects.sessions.get(session)?.status).toBe(isPaid ? 'complete' : 'expired')
      expect(await statusOf(_id)).toBe(isPaid ? 'Paid' : 'Credited')
    },
  )

  test('the month: the saved card is not charged for an order of an earlier one', async () => {
    await paid(REFUSED_LATER)
    const domain = await anActiveDomain(app, who)
    mailboxId = (await aMailbox(app, { domain, status: 'inactive' })).id
    const { _id } = await order()
    await settle()
    expect(await statusOf(_id)).toBe('Due')
    app.clock.set(new Date('2026-12-05T12:00:00Z'))
    const [customer] = [...stage.objects.customers.keys()].slice(-1)
    stage.objects.attach(customer ?? '', GOOD)
    await settle()
    expect(await statusOf(_id)).toBe('Credited')
    expect(charged()).toBe(200)
  })

  test('the price: what is charged is what the button says', async () => {
    const { _id } = await order()
    await pageOf(_id)
    const cheaper = withConfig({ mailboxPriceCents: 100 })
    const anew = await order(cheaper)
    expect(anew).toMatchObject({ amountCents: 100, status: 'Due' })
    expect(await statusOf(_id)).toBe('Credited')
    await payAt(anew._id)
    await settle()
    expect(charged()).toBe(100)
  })

  test('the billing: an order by card is taken back before an invoice by hand asks for the same', async () => {
    const { _id } = await order()
    const byHand = withConfig({ billing: 'invoice', stripe: null })
    const anew = await order(byHand)
    expect(anew.isByCard).toBe(false)
    expect(await statusOf(_id)).toBe('Credited')

    const domain = await anActiveDomain(app, who)
    mailboxId = (await aMailbox(app, { domain, status: 'inactive' })).id
    await pageOf((await order())._id)
    await expect(order(byHand)).rejects.toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
  })

  test('a sum that is too small for a card says so', async () => {
    const { _id } = await order(withConfig({ mailboxPriceCents: 20 }))
    await expect(openCheckout(app, who, _id)).rejects.toMatchObject({
      type: 'NOTHING_TO_PAY',
      message: 'The sum is less than can be charged to a card',
    })
    expect(charged()).toBe(0)
  })

  test('a mailbox that worked and has gone is owed for, and an order of one that has gone is not', async () => {
    await paid(REFUSED_LATER)
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await invoiceMonth(app)
    const id = await newest()
    const domain = await anActiveDomain(app, who)
    const worked = mailboxId
    mailboxId = (await aMailbox(app, { domain, status: 'inactive' })).id
    const ordered = (await order())._id
    await app.db.deleteFrom('mailboxes').where('id', 'in', [worked, mailboxId]).execute()
    app.clock.set(new Date('2026-12-19T06:22:00Z'))
    await followUnpaid(app)
    expect(await statusOf(id)).toBe('Due')
    expect(await statusOf(ordered)).toBe('Credited')
  })
})
