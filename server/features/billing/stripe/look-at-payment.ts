/** Asks Stripe what became of a payment, and writes it down with what follows for its invoice, in one transaction. */
import type { App } from '#server/app.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { afterCommit, inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type InvoiceRow, lockBillingOf, readInvoice, setInvoice } from '../billing-store.ts'
import { creditCents } from '../credit-cents.ts'
import { activatePaid, endDue } from '../end-due.ts'
import { balanceOf, invoiceEvent, invoiceNumber } from '../to-invoice.ts'
import { isUnderWay } from './begin-payment.ts'
import {
  type PaymentRow,
  readCustomer,
  readPayments,
  readRefunds,
  setPayment,
  setRefund,
} from './card-store.ts'
import { enterPayment } from './enter-payment.ts'
import { makePayment } from './make-payment.ts'
import { type Facts, readFacts } from './payment-facts.ts'
import { isQuestionOfBank, OTHER_CURRENCY, reasonOf } from './refusals.ts'
import { type Refusal, stripeOf } from './stripe-client.ts'
import { refreshCustomer, saveCard } from './stripe-customer.ts'

/** A terminal has no log. */
export type Paying = Pick<App, 'db' | 'clock' | 'config'> & Partial<Pick<App, 'log' | 'logEvent'>>

/** Has it made where it is not. Asked again, or by several at once, it changes nothing twice. @returns what it is now */
export const lookAtPayment = async (app: Paying, given: PaymentRow): Promise<PaymentRow> => {
  const made = await makePayment(app, given)
  if (made === 'later') return given
  if (made === 'never') return applyFacts(app, given, { ...UNPAID, state: 'expired' })
  if ('code' in made) return applyRefusal(app, given, made)
  const facts = await readFacts(await stripeOf(app), made)
  if (facts.state === 'paid' && (await isNews(app, made))) await saveCardOf(app, made, facts)
  const isStale = (now: PaymentRow) => FACTS.some((fact) => now[fact] !== made[fact])
  return applyFacts(app, made, facts, isStale)
}

/** Its card is saved once: of a payment that is heard of again, the owner may have chosen another card since. */
const isNews = async ({ db }: Pick<Paying, 'db'>, payment: PaymentRow): Promise<boolean> =>
  (await readPayments(db, payment)).some(({ id, state }) => id === payment.id && state !== 'paid')

const saveCardOf = async (
  app: Paying,
  { kind, workspaceId, customerId }: PaymentRow,
  { paymentMethodId }: Facts,
): Promise<void> => {
  if (kind === 'checkout' && customerId !== null && paymentMethodId !== null)
    await saveCard(app, { workspaceId, customerId }, paymentMethodId)
}

/** Where one of them changed while Stripe was asked, the answer may be older than what is written down. */
const FACTS = ['state', 'paidCents', 'refundedCents', 'disputedCents', 'isDisputed'] as const

const UNPAID: Facts = {
  ...{ state: 'failed', paymentIntentId: null, paymentMethodId: null, code: '', paidCents: 0 },
  ...{ refunds: [], failedRefunds: [], disputes: [], isDisputed: false },
}

const applyRefusal = async (app: Paying, payment: PaymentRow, { code }: Refusal) => {
  const applied = await applyFacts(app, payment, { ...UNPAID, code })
  const customer = await readCustomer(app.db, payment.workspaceId)
  if (code === 'resource_missing' && customer) await refreshCustomer(app, customer)
  return applied
}

export const applyFacts = (
  app: Paying,
  { id, workspaceId, invoiceId }: PaymentRow,
  facts: Facts,
  isStale: (now: PaymentRow) => boolean = () => false,
): Promise<PaymentRow> =>
  inTransaction(app, async (tx) => {
    await lockBillingOf(tx, workspaceId)
    const payments = await readPayments(tx, { workspaceId, invoiceId })
    const before = payments.find((payment) => payment.id === id)
    const invoice = await readInvoice(tx, workspaceId, invoiceId)
    if (!before || !invoice) throw new Error(`a payment without its invoice: ${id}`)
    // An older answer than the one that was written down already.
    if (!isUnderWay(before) && facts.state !== 'paid') return before
    if (isStale(before)) {
      await setPayment(tx, before, { lookAt: app.clock.now() })
      return before
    }
    const change = changeOf(app.clock.now(), before, facts)
    await setPayment(tx, before, change)
    const after = { ...before, ...change }
    await enterPayment(tx, after, facts, app.clock.now())
    const credited = await completeRefunds(app, tx, { invoice, payment: after, facts })
    const others = payments.filter((payment) => payment.id !== id)
    await settle(app, tx, { invoice: credited, before, after, others })
    if (isHeld(after) && !isHeld(before)) afterCommit(tx, () => logHeld(app, after))
    return after
  })

const isHeld = ({ state, reason }: Pick<PaymentRow, 'state' | 'reason'>): boolean =>
  state === 'confirming' && reason === reasonOf(OTHER_CURRENCY)

const logHeld = (app: Paying, { workspaceId, invoiceId, paymentIntentId }: PaymentRow): void =>
  app.logEvent?.('payment-held', {
    ...{ workspaceId, invoiceId, stripeId: paymentIntentId ?? '', why: 'currency' },
  })

const changeOf = (now: Date, before: PaymentRow, facts: Facts) => ({
  state: facts.state,
  paymentIntentId: facts.paymentIntentId ?? before.paymentIntentId,
  paymentMethodId: facts.paymentMethodId ?? before.paymentMethodId,
  reason: facts.state === 'failed' || facts.code !== '' ? reasonOf(facts.code) : '',
  endedAt: isUnderWay(facts) ? null : (before.endedAt ?? now),
  lookAt: nextLook(now, before, facts),
  paidCents: facts.paidCents,
  ...{ refundedCents: sumOf(facts.refunds), disputedCents: sumOf(facts.disputes) },
  isDisputed: facts.isDisputed,
})

const sumOf = (all: readonly { cents: number }[]): number =>
  all.reduce((sum, { cents }) => sum + cents, 0)

const SOON_SECONDS = 60
const LATER_SECONDS = 30 * 60
const DISPUTED_SECONDS = 24 * 3600

/** Events say it sooner; this is for those that are lost. */
const nextLook = (now: Date, { createdAt }: PaymentRow, facts: Facts): Date | null => {
  if (facts.isDisputed) return secondsAfter(now, DISPUTED_SECONDS)
  if (!isUnderWay(facts)) return null
  const isYoung = now.getTime() - createdAt.getTime() < LATER_SECONDS * 1000
  return secondsAfter(now, isYoung ? SOON_SECONDS : LATER_SECONDS)
}

/**
 * What an operator gave back becomes a credit note in the moment in which it is seen at Stripe, as far as no credit note took it back
 * before. One that Stripe could not give back is refused. @returns the invoice as it is then
 */
const completeRefunds = async (
  app: Paying,
  tx: Db,
  { invoice, payment, facts }: { invoice: InvoiceRow; payment: PaymentRow; facts: Facts },
): Promise<InvoiceRow> => {
  let now = invoice
  let owedCents = Math.max(0, -balanceOf(invoice))
  for (const refund of await readRefunds(tx, payment)) {
    if (refund.state !== 'open') continue
    if (facts.failedRefunds.includes(refund.id)) await setRefund(tx, refund, { state: 'refused' })
    const seen = facts.refunds.find(({ ours }) => ours === refund.id)
    if (!seen) continue
    const cents = Math.max(0, refund.amountCents - owedCents)
    owedCents = Math.max(0, owedCents - refund.amountCents)
    const credit = cents > 0 ? await creditCents(app, tx, now, cents, refund.note) : null
    await setRefund(tx, refund, {
      ...{ state: 'done', refundId: seen.id, creditId: credit?.id ?? null },
    })
    now = (await readInvoice(tx, now.workspaceId, now.id)) ?? now
  }
  return now
}

const keptOf = ({ paidCents, refundedCents, disputedCents }: PaymentRow): number =>
  Math.max(0, paidCents - refundedCents - disputedCents)

type Settled = { invoice: InvoiceRow; before: PaymentRow; after: PaymentRow; others: PaymentRow[] }

const settle = async (
  app: Paying,
  tx: Db,
  { invoice, before, after, others }: Settled,
): Promise<void> => {
  const change = keptOf(after) - keptOf(before)
  const collectedCents = invoice.collectedCents + change
  const isOpen = balanceOf({ ...invoice, collectedCents }) > 0
  const isCredited = invoice.creditedCents === invoice.amountCents
  const state = {
    ...{ collectedCents, ...paymentStateOf(after, others, isOpen) },
    status: isCredited ? ('Credited' as const) : isOpen ? ('Due' as const) : ('Paid' as const),
  }
  const now = app.clock.now()
  const named = { workspaceId: invoice.workspaceId, object: invoiceNumber(invoice) }
  if (invoice.status === 'Due' && !isOpen) {
    await endDue(tx, invoice, () => setInvoice(tx, invoice, { ...state, paidAt: now }))
    await activatePaid(tx, invoice)
    if (!isCredited) {
      await noteEvent(tx, invoiceEvent('invoice.paid', invoice, now))
      await recordBySystem(tx, now, 'invoicePaid', named)
    }
  } else if (invoice.status === 'Paid' && isOpen && !isCredited) {
    // Reminders begin anew: nobody is suspended on the day on which a bank takes its money back.
    const anew = { paidAt: null, reminders: 0, remindedAt: now, suspendedAt: null }
    await setInvoice(tx, invoice, { ...state, ...anew })
    await setPayment(tx, after, { mailWaits: 'reopened' })
    await recordBySystem(tx, now, 'invoiceReopened', named)
  } else await setInvoice(tx, invoice, state)
  if (after.state === 'failed' && before.state !== 'failed' && after.kind === 'saved card')
    await setPayment(tx, after, { mailWaits: 'refused' })
  await announceChange(tx, { topic: 'invoices', workspaceId: invoice.workspaceId })
}

/** What pages say of an invoice that is open. */
const paymentStateOf = (
  payment: PaymentRow,
  others: readonly PaymentRow[],
  isOpen: boolean,
): Pick<InvoiceRow, 'paymentState' | 'paymentReason'> => {
  const all = [...others, payment]
  const last = all
    .filter(({ state, kind }) => state !== 'expired' && (state !== 'open' || kind === 'saved card'))
    .toSorted((a, b) => a.attempt - b.attempt)
    .at(-1)
  const say = (paymentState: InvoiceRow['paymentState'], paymentReason = '') => ({
    ...{ paymentState, paymentReason },
  })
  if (all.some(({ isDisputed }) => isDisputed)) return say('disputed')
  if (!isOpen || last === undefined) return say(null)
  if (isUnderWay(last)) return say('confirming')
  if (all.some(({ disputedCents }) => disputedCents > 0)) return say('taken back')
  if (all.some(({ refundedCents }) => refundedCents > 0)) return say('given back')
  if (last.state === 'paid') return say(null)
  return say(isQuestionOfBank(last.reason) ? 'needs confirmation' : 'failed', last.reason)
}
