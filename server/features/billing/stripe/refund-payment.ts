/** An operator gives money back: written down first, asked of Stripe under its own key, and then a credit note (decision 123). */
import { AppError } from '#contract/errors.ts'
import type { CardPayment } from '#contract/operator/invoices.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { lockBillingOf, readInvoice } from '../billing-store.ts'
import {
  findPayment,
  insertRefund,
  type PaymentRow,
  type RefundRow,
  readPayments,
  readRefunds,
  setRefund,
} from './card-store.ts'
import { lookAtPayment } from './look-at-payment.ts'
import { refusalOf, stripeOf } from './stripe-client.ts'

type Refunding = Pick<App, 'db' | 'clock' | 'config'>
type Wanted = {
  workspaceId: string
  invoiceId: string
  cents: number
  note: string
  askedBy: string
}

/** @throws NOT_EXISTS, STATUS_NOT_ALLOWED where no payment by card has so much left */
export const refundInvoice = async (app: Refunding, wanted: Wanted): Promise<void> => {
  const refund = await writeDown(app, wanted)
  await askForRefund(app, refund)
  const [now] = (await readRefunds(app.db, { ...refund, id: refund.cardPaymentId })).filter(
    ({ id }) => id === refund.id,
  )
  if (now?.state === 'refused')
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: 'Stripe refused to give it back. Its page of the payment says why.',
    })
}

const writeDown = (app: Refunding, { cents, note, ...wanted }: Wanted): Promise<RefundRow> =>
  app.db.transaction().execute(async (tx) => {
    const { workspaceId, invoiceId, askedBy } = wanted
    await lockBillingOf(tx, workspaceId)
    const invoice = await readInvoice(tx, workspaceId, invoiceId)
    if (!invoice) throw new AppError('NOT_EXISTS')
    for (const payment of await readPayments(tx, wanted)) {
      const left = leftOf(payment, await readRefunds(tx, payment))
      if (left < cents || payment.isDisputed || invoice.status === 'Due') continue
      return insertRefund(tx, {
        ...{ id: newId(), workspaceId, cardPaymentId: payment.id, amountCents: cents, note },
        ...{ askedBy, state: 'open', createdAt: app.clock.now() },
      })
    }
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: 'No payment by card has so much left to give back.',
    })
  })

/** What can be given back, without what Stripe is asked for now. */
export const leftOf = (payment: PaymentRow, refunds: readonly RefundRow[]): number => {
  const asked = refunds.filter(({ state }) => state === 'open')
  const askedCents = asked.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return payment.paidCents - payment.refundedCents - payment.disputedCents - askedCents
}

/** For operators. */
export const listCardPayments = async (
  db: Db,
  invoice: { workspaceId: string; invoiceId: string },
): Promise<CardPayment[]> => {
  const payments = await readPayments(db, invoice)
  return Promise.all(
    payments.map(async (payment) => ({
      ...{ _id: payment.id, kind: payment.kind, state: payment.state, reason: payment.reason },
      ...{ at: payment.createdAt.toISOString(), amountCents: payment.amountCents },
      leftCents: Math.max(0, leftOf(payment, await readRefunds(db, payment))),
      ...{ refundedCents: payment.refundedCents, disputedCents: payment.disputedCents },
      stripeId: payment.paymentIntentId ?? '',
    })),
  )
}

/** Asked again, it gives nothing back twice. */
export const askForRefund = async (app: Refunding, refund: RefundRow): Promise<void> => {
  const payment = await findPayment(app.db, refund.cardPaymentId)
  if (payment?.paymentIntentId == null) return
  const stripe = await stripeOf(app)
  const ofIntent = { payment_intent: payment.paymentIntentId, limit: 100 }
  const { data } = await stripe.refunds.list(ofIntent)
  if (!data.some(({ metadata }) => metadata?.refund === refund.id))
    try {
      await stripe.refunds.create(
        {
          payment_intent: payment.paymentIntentId,
          ...{ amount: refund.amountCents, metadata: { refund: refund.id } },
        },
        { idempotencyKey: `refund-${refund.id}` },
      )
    } catch (error) {
      if (refusalOf(error) === null) throw error
      await setRefund(app.db, refund, { state: 'refused' })
    }
  await lookAtPayment(app, payment)
}
