import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Invoice } from '#contract/billing.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { listAuditLog } from '#server/features/audit/list-audit-log.ts'
import { followUnpaid } from '#server/features/billing/follow-unpaid.ts'
import { getInvoice, invoiceMonth, listInvoices } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { markInvoicePaid, voidInvoice } from '#server/features/billing/settle-invoice.ts'
import { listMailboxes } from '#server/features/mailboxes/read-mailboxes.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { newId } from '#server/lib/ids.ts'
import type { TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { settlePayments } from '#test-world/stripe/settle-payments.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { readPayments } from './card-store.ts'
import { collectPayments } from './collect-payments.ts'
import { lookAtPayment } from './look-at-payment.ts'
import {
  getSavedCard,
  lookAtInvoice,
  openCheckout,
  openPortal,
  refreshSavedCard,
} from './pay-by-card.ts'
import { mailPayments } from './payment-mails.ts'
import { refundInvoice } from './refund-payment.ts'
import { readCardFigures } from './trouble-queries.ts'

const GOOD = '4242424242424242'
const REFUSED_LATER = '4000000000000341'
const ASKS = '4000002760003184'

let app: TestApp
let stage: StripeStage
let who: Who
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp())
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('outboxMessages').execute()
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  who = await aMember(app)
})
afterEach(() => {
  stage.trouble = () => 'none'
})

const mailboxes = async (count: number): Promise<string[]> => {
  const domain = await anActiveDomain(app, who)
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await aMailbox(app, { domain, status: 'inactive' })).id)
  return ids
}
const order = async (count = 1) => payForMailboxes(app, who, await mailboxes(count), null)
const sessionAt = (url: string): string => url.split('/').at(-1) ?? ''
const payAt = async (invoiceId: string, card = GOOD) => {
  const { url } = await openCheckout(app, who, invoiceId)
  return stage.objects.pay(sessionAt(url), card)
}
const invoiceNow = (id: string) => getInvoice(app, who, id)
const invoices = async () => (await listInvoices(app, who, { limit: 50 })).items
const statuses = async () =>
  (await listMailboxes(app, who, { limit: 50 })).items.map(({ status }) => status).sort()
/** And tells by mail what became of them. */
const settle = async () => {
  await settlePayments(app, stage)
  await mailPayments(app)
}
const intents = (invoiceId: string) =>
  [...stage.objects.intents.values()].filter(({ metadata }) => metadata.invoice === invoiceId)
const charged = (invoiceId: string) =>
  intents(invoiceId).reduce((sum, intent) => sum + stage.objects.leftOf(intent), 0)
const subjects = async () => (await listHeldMails(app)).map(({ subject }) => subject)
/** One that is paid, with a saved card. */
const paidOrder = async (card = GOOD) => {
  const { _id } = await order()
  await payAt(_id, card)
  await settle()
  return _id
}

describe('the first payment', () => {
  test('is made on a page of Stripe, and then the mailboxes work', async () => {
    const invoice = await order(2)
    expect(invoice).toMatchObject({ status: 'Due', isByCard: true, payment: null })
    expect(await statuses()).toEqual(['inactive', 'inactive'])
    const { url } = await openCheckout(app, who, invoice._id)
    expect(stage.objects.sessions.get(sessionAt(url))).toMatchObject({
      ...{ amount_total: 400, currency: 'usd', status: 'open' },
      success_url: `http://localhost:8080/dashboard/invoices/${invoice._id}?payment=done`,
    })
    expect((await openCheckout(app, who, invoice._id)).url).toBe(url)
    expect(stage.objects.pay(sessionAt(url), GOOD)).toBeNull()
    await lookAtInvoice(app, who, invoice._id)
    expect(await invoiceNow(invoice._id)).toMatchObject({ status: 'Paid', openCents: 0 })
    expect(await statuses()).toEqual(['active', 'active'])
    expect(await getSavedCard(app, who)).toEqual({
      card: { brand: 'Visa', last4: '4242', expires: '2032-04' },
    })
    await settle()
    expect(charged(invoice._id)).toBe(400)
    await expect(openCheckout(app, who, invoice._id)).rejects.toMatchObject({
      type: 'NOTHING_TO_PAY',
    })
  })

  test('is seen by an event, too, and a second page is made after the first expired', async () => {
    const { _id } = await order()
    const first = await openCheckout(app, who, _id)
    stage.objects.expire(sessionAt(first.url))
    const second = await openCheckout(app, who, _id)
    expect(second.url).not.toBe(first.url)
    stage.objects.pay(sessionAt(second.url), GOOD)
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid' })
    expect(charged(_id)).toBe(200)
  })

  test('a choice that stays is the same invoice; another one takes it back', async () => {
    const [one = '', two = ''] = await mailboxes(2)
    const first = await payForMailboxes(app, who, [one], null)
    const { url } = await openCheckout(app, who, first._id)
    expect(await payForMailboxes(app, who, [one], null)).toEqual(first)
    const both = await payForMailboxes(app, who, [one, two], null)
    expect(both).toMatchObject({ productName: 'Mailbox x 2', status: 'Due' })
    expect(await invoiceNow(first._id)).toMatchObject({ status: 'Credited' })
    expect(() => stage.objects.pay(sessionAt(url), GOOD)).toThrow('not open')
    expect(await invoices()).toHaveLength(3)
  })

  test('a request that is repeated late takes back nothing that was ordered since', async () => {
    const [one = '', two = ''] = await mailboxes(2)
    const first = await payForMailboxes(app, who, [one], 'k-1')
    const both = await payForMailboxes(app, who, [one, two], 'k-2')
    expect((await payForMailboxes(app, who, [one], 'k-1'))._id).toBe(first._id)
    expect(await invoiceNow(both._id)).toMatchObject({ status: 'Due' })
  })

  test('an order that a refused choice took back is in the audit log', async () => {
    const [one = '', two = ''] = await mailboxes(2)
    const { number } = await payForMailboxes(app, who, [one, two], null)
    const refused = payForMailboxes(app, who, [one, newId()], null)
    await expect(refused).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    const query = { limit: 50, order: 'at', direction: 'down' } as const
    const { items } = await listAuditLog(app, who, query)
    expect(items).toMatchObject([{ action: 'orderWithdrawn', topic: 'money', object: number }])
  })

  test('one that was paid in the moment of another choice stays paid', async () => {
    const [one = '', two = ''] = await mailboxes(2)
    const first = await payForMailboxes(app, who, [one], null)
    await payAt(first._id)
    const second = await payForMailboxes(app, who, [one, two], null)
    expect(second).toMatchObject({ productName: 'Mailbox x 1' })
    expect(await statuses()).toEqual(['active', 'inactive'])
  })

  test('an order that nobody pays is taken back, without reminders', async () => {
    const { _id } = await order()
    await openCheckout(app, who, _id)
    await app.db.deleteFrom('outboxMessages').execute()
    app.clock.set(new Date('2026-12-08T06:22:00Z'))
    await followUnpaid(app)
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Credited', openCents: 0 })
    expect(await subjects()).toEqual([])
    expect([...stage.objects.sessions.values()].at(-1)).toMatchObject({ status: 'expired' })
  })
})

test('an order of several invoices is paid by one page: its card pays the others, each once', async () => {
  const ids = await mailboxes(3)
  const orders: Invoice[] = []
  for (const id of ids) orders.push(await payForMailboxes(app, who, [id], null))
  await payAt(orders[0]?._id ?? '')
  await settle()
  for (const { _id } of orders) {
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid' })
    expect(charged(_id)).toBe(200)
  }
  expect(await statuses()).toEqual(['active', 'active', 'active'])
})

describe('the next months', () => {
  const december = async () => {
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await invoiceMonth(app)
    const [invoice] = await invoices()
    await settle()
    return invoice?._id ?? ''
  }

  test('are charged to the saved card, once', async () => {
    await paidOrder()
    const id = await december()
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
    expect(intents(id)).toHaveLength(1)
    expect(charged(id)).toBe(200)
  })

  test('are charged also when one invoice before them cannot be', async () => {
    const owners = [who, await aMember(app)]
    for (who of owners) await paidOrder()
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await invoiceMonth(app)
    const made: { of: Who; id: string }[] = []
    for (who of owners) made.push({ of: who, id: (await invoices())[0]?._id ?? '' })
    // They are charged in the order of their ids.
    const [first, second] = made.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const [nothing, id] = [first?.id ?? '', second?.id ?? '']
    who = second?.of ?? who
    await app.db
      .updateTable('invoices')
      .set({ collectedCents: 200 })
      .where('id', '=', nothing)
      .execute()
    await expect(collectPayments(app)).rejects.toMatchObject({ type: 'NOTHING_TO_PAY' })
    await expect(collectPayments(app)).rejects.toMatchObject({ type: 'NOTHING_TO_PAY' })
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
    await app.db.updateTable('invoices').set({ status: 'Paid' }).where('id', '=', nothing).execute()
  })

  test('a refused card is told at once, tried on the days of reminders, and its mailboxes are suspended', async () => {
    await paidOrder(REFUSED_LATER)
    await app.db.deleteFrom('outboxMessages').execute()
    const id = await december()
    const { number } = await invoiceNow(id)
    expect(await invoiceNow(id)).toMatchObject({
      ...{ status: 'Due', payment: { state: 'failed', reason: 'The bank refused the card' } },
    })
    expect(await subjects()).toContain(`Your card was not charged for invoice ${number}`)
    for (let day = 2; day <= 38; day++) {
      app.clock.set(new Date(Date.UTC(2026, 11, day, 6)))
      await settle()
      await followUnpaid(app)
    }
    expect(intents(id).map(({ status }) => status)).toEqual(Array(4).fill('canceled'))
    expect(await statuses()).toEqual(['suspended'])
    const { url } = await openPortal(app, who)
    stage.objects.attach(stage.objects.portals.get(sessionAt(url))?.customer ?? '', GOOD)
    await refreshSavedCard(app, who)
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
    expect(charged(id)).toBe(200)
    expect(await statuses()).toEqual(['active'])
  })

  test('a card that was chosen after a payment stays, whatever is heard of that payment later', async () => {
    const id = await paidOrder(ASKS)
    const { url } = await openPortal(app, who)
    stage.objects.attach(stage.objects.portals.get(sessionAt(url))?.customer ?? '', GOOD)
    await settle()
    expect(await getSavedCard(app, who)).toMatchObject({ card: { last4: '4242' } })
    stage.objects.refund(intents(id)[0]?.id ?? '', 50)
    await settle()
    expect(await getSavedCard(app, who)).toMatchObject({ card: { last4: '4242' } })
  })

  test('a bank that asks the owner is answered on a page of Stripe', async () => {
    await paidOrder(ASKS)
    const id = await december()
    const { number, payment } = await invoiceNow(id)
    expect(payment?.state).toBe('needs confirmation')
    expect(await subjects()).toContain(`Please confirm the payment of invoice ${number}`)
    await payAt(id, ASKS)
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid', payment: null })
    expect(charged(id)).toBe(200)
  })

  test('a customer that was deleted at Stripe is made anew, and nothing is charged by itself', async () => {
    await paidOrder()
    const [customer] = [...stage.objects.customers.keys()].slice(-1)
    stage.objects.deleteCustomer(customer ?? '')
    await settle()
    expect(await getSavedCard(app, who)).toEqual({ card: null })
    const id = await december()
    expect(intents(id)).toEqual([])
    await payAt(id)
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
  })
})

describe('money that goes back', () => {
  const toGiveBack = (invoiceId: string) => ({
    ...{ workspaceId: who.workspaceId, invoiceId },
    ...{ note: 'As we said on the telephone.', askedBy: 'terminal' },
  })

  test('by the operator: it becomes a credit note, and the invoice stays paid or is taken back', async () => {
    const _id = await paidOrder()
    const before = stage.objects.refunds.size
    const giveBack = (cents: number) => refundInvoice(app, { ...toGiveBack(_id), cents })
    await giveBack(50)
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid', openCents: 0 })
    expect((await invoiceNow(_id)).credits).toMatchObject([{ amountCents: -50 }])
    expect(charged(_id)).toBe(150)
    await expect(giveBack(151)).rejects.toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
    await giveBack(150)
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Credited' })
    expect(charged(_id)).toBe(0)
    expect(stage.objects.refunds.size).toBe(before + 2)
  })

  test('in parts: each line is taken back as a whole once, and nothing twice', async () => {
    const { _id } = await order(2)
    await payAt(_id)
    await settle()
    const giveBack = (cents: number) => refundInvoice(app, { ...toGiveBack(_id), cents })
    const credited = async () => {
      const lines = await app.db
        .selectFrom('invoiceLines')
        .innerJoin('invoices', 'invoices.id', 'invoiceLines.invoiceId')
        .select(['email', 'invoiceLines.amountCents', 'creditedLineId'])
        .where('correctsId', '=', _id)
        .execute()
      const byMailbox = Map.groupBy(lines, ({ email }) => email)
      const sums = [...byMailbox.values()].map((of) => ({
        cents: of.reduce((sum, { amountCents }) => sum + amountCents, 0),
        whole: of.filter(({ creditedLineId }) => creditedLineId !== null).length,
      }))
      // Lines that were made in one moment stand in no order.
      return sums.toSorted((a, b) => a.cents - b.cents)
    }
    await giveBack(50)
    await giveBack(200)
    expect(await credited()).toEqual([
      { cents: -200, whole: 1 },
      { cents: -50, whole: 0 },
    ])
    await giveBack(150)
    expect(await credited()).toEqual([
      { cents: -200, whole: 1 },
      { cents: -200, whole: 1 },
    ])
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Credited', openCents: 0 })
  })

  test('what its bank does not take is ours again, and is given back anew with one credit note', async () => {
    const _id = await paidOrder()
    const giveBack = () => refundInvoice(app, { ...toGiveBack(_id), cents: 200 })
    await giveBack()
    const [refund] = [...stage.objects.refunds.values()].slice(-1)
    stage.objects.failRefund(refund?.id ?? '')
    await settle()
    expect(charged(_id)).toBe(200)
    await giveBack()
    await settle()
    expect(charged(_id)).toBe(0)
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Credited', openCents: 0 })
    expect((await invoiceNow(_id)).credits).toMatchObject([{ amountCents: -200 }])
    await expect(giveBack()).rejects.toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
  })

  test('of two answers of Stripe the older one, which comes later, changes nothing', async () => {
    const _id = await paidOrder()
    const [intent] = intents(_id)
    const { workspaceId } = who
    const look = async () => {
      const [payment] = await readPayments(app.db, { workspaceId, invoiceId: _id })
      if (payment) await lookAtPayment(app, payment)
    }
    let isFirst = true
    stage.trouble = async ({ path }): Promise<'none'> => {
      if (path !== '/v1/disputes' || !isFirst) return 'none'
      isFirst = false
      // The one who asks has read the refunds; money goes back, and another one asks and writes it down.
      stage.objects.refund(intent?.id ?? '', 80)
      await look()
      return 'none'
    }
    await look()
    expect(isFirst).toBe(false)
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Due', openCents: 80 })
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Due', openCents: 80 })
  })

  test('one who asks with an old picture of it takes no other payment of the invoice for it', async () => {
    const _id = await paidOrder()
    const { workspaceId } = who
    const payments = () => readPayments(app.db, { workspaceId, invoiceId: _id })
    const [first] = await payments()
    if (!first) throw new Error('no payment')
    stage.objects.refund(intents(_id)[0]?.id ?? '', 0)
    await settle()
    // Paid again, and not looked at yet. The other one began before anything was made for the first.
    await payAt(_id)
    const unmade = { sessionId: null, sessionUrl: null, paymentIntentId: null }
    await lookAtPayment(app, { ...first, ...unmade, state: 'open', paidCents: 0 })
    await settle()
    expect(await payments()).toMatchObject([
      { paymentIntentId: first.paymentIntentId, paidCents: 200, refundedCents: 200 },
      { paidCents: 200, refundedCents: 0 },
    ])
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid', openCents: 0 })
    expect(charged(_id)).toBe(200)
  })

  test('at Stripe: the invoice is open again, and is not charged by itself', async () => {
    const _id = await paidOrder()
    stage.objects.refund(intents(_id)[0]?.id ?? '', 80)
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({
      ...{ status: 'Due', openCents: 80, credits: [] },
      payment: { state: 'given back', reason: '' },
    })
    const { number } = await invoiceNow(_id)
    expect(await subjects()).toContain(`Invoice ${number} is open again`)
    expect(charged(_id)).toBe(120)
    await payAt(_id)
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid' })
    expect(charged(_id)).toBe(200)
    stage.objects.refund(intents(_id)[0]?.id ?? '', 120)
    await settle()
    await voidInvoice(app, number)
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid', openCents: 0 })
    expect((await invoiceNow(_id)).credits).toMatchObject([{ amountCents: -120 }])
  })

  test('by a bank: the invoice is open until it decides, and nothing can be paid meanwhile', async () => {
    const _id = await paidOrder()
    const { id } = stage.objects.dispute(intents(_id)[0]?.id ?? '')
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Due', payment: { state: 'disputed' } })
    await expect(openCheckout(app, who, _id)).rejects.toMatchObject({ type: 'NOTHING_TO_PAY' })
    stage.objects.closeDispute(id, 'won')
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid', payment: null })
    const again = stage.objects.dispute(intents(_id)[0]?.id ?? '')
    await settle()
    stage.objects.closeDispute(again.id, 'lost')
    await settle()
    expect(await invoiceNow(_id)).toMatchObject({
      ...{ status: 'Due', openCents: 200, payment: { state: 'taken back' } },
    })
    expect(charged(_id)).toBe(0)
    const reopenings = ['invoicePaid', 'invoiceReopened', 'invoicePaid', 'invoiceReopened']
    expect((await linesBySystem(app, who)).map(([action]) => action)).toEqual(reopenings)
  })

  test('an invoice that is marked paid by hand ends the page where it could be paid', async () => {
    const { _id, number } = await order()
    const { url } = await openCheckout(app, who, _id)
    await markInvoicePaid(app, number)
    expect(() => stage.objects.pay(sessionAt(url), GOOD)).toThrow('not open')
    expect(await statuses()).toEqual(['active'])
  })
})

test('a payment in another currency settles nothing, is told, and holds other charges until it is given back', async () => {
  const { _id, number } = await order()
  const { url } = await openCheckout(app, who, _id)
  const session = stage.objects.sessions.get(sessionAt(url))
  Object.assign(session ?? {}, { currency: 'jpy' })
  stage.objects.pay(sessionAt(url), GOOD)
  await settle()
  expect(await invoiceNow(_id)).toMatchObject({
    ...{ status: 'Due', openCents: 200, payment: { state: 'confirming' } },
  })
  expect(await statuses()).toEqual(['inactive'])
  expect(await readCardFigures(app.db, app.clock.now())).toMatchObject({ heldPayments: 1 })
  app.clock.advance({ hours: 1 })
  await settle()
  const stripeId = intents(_id)[0]?.id
  expect(app.logged('payment-held')).toMatchObject([{ invoiceId: _id, stripeId, why: 'currency' }])
  await expect(openCheckout(app, who, _id)).rejects.toMatchObject({ type: 'NOTHING_TO_PAY' })
  await expect(markInvoicePaid(app, number)).rejects.toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
  expect(intents(_id)).toHaveLength(1)
  stage.objects.refund(intents(_id)[0]?.id ?? '', 0)
  await settle()
  expect(await readCardFigures(app.db, app.clock.now())).toMatchObject({ heldPayments: 0 })
  await payAt(_id)
  await settle()
  expect(await invoiceNow(_id)).toMatchObject({ status: 'Paid', openCents: 0 })
  expect(charged(_id)).toBe(200)
})

describe('a call whose answer is lost', () => {
  test.each(['before', 'after', 'error'] as const)('%s: nothing is charged twice', async (kind) => {
    await paidOrder()
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await invoiceMonth(app)
    const [invoice] = await invoices()
    const id = invoice?._id ?? ''
    stage.trouble = ({ method, path }) =>
      method === 'POST' && path === '/v1/payment_intents' ? kind : 'none'
    await expect(collectPayments(app)).rejects.toThrow()
    stage.trouble = () => 'none'
    if (kind === 'after') stage.forgetKeys()
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
    expect(intents(id)).toHaveLength(1)
  })

  test('a database that came back from a backup finds what was paid, and charges it not again', async () => {
    await paidOrder()
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await invoiceMonth(app)
    await settle()
    const id = (await invoices())[0]?._id ?? ''
    await app.db.transaction().execute(async (tx) => {
      // A restored database has not deleted them: it never had them.
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const table of ['ledgerEntries', 'cardPayments'] as const)
        await tx.deleteFrom(table).where('invoiceId', '=', id).execute()
    })
    const before = { status: 'Due' as const, paidAt: null, collectedCents: 0 }
    await app.db.updateTable('invoices').set(before).where('id', '=', id).execute()
    stage.forgetKeys()
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
    expect(intents(id)).toHaveLength(1)
  })

  test('a payment that Stripe never made ends after a day, and another one begins', async () => {
    await paidOrder()
    app.clock.set(new Date('2026-12-01T00:12:00Z'))
    await invoiceMonth(app)
    const [invoice] = await invoices()
    const id = invoice?._id ?? ''
    stage.trouble = ({ path }) => (path === '/v1/payment_intents' ? 'before' : 'none')
    await expect(collectPayments(app)).rejects.toThrow()
    app.clock.set(new Date('2026-12-01T21:12:00Z'))
    stage.trouble = () => 'none'
    stage.forgetKeys()
    await settle()
    expect(intents(id)).toEqual([])
    app.clock.set(new Date('2026-12-01T23:12:00Z'))
    await settle()
    await settle()
    expect(await invoiceNow(id)).toMatchObject({ status: 'Paid' })
    expect(intents(id)).toHaveLength(1)
  })
})
