/** Ends what Stripe was asked to collect of an invoice, before the invoice is settled in another way. */

import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, readInvoice } from '../billing-store.ts'
import { invoiceNumber } from '../to-invoice.ts'
import { isUnderWay } from './begin-payment.ts'
import { type PaymentRow, readPayments, readUnderWay } from './card-store.ts'
import { lookAtPayment } from './look-at-payment.ts'
import { makePayment } from './make-payment.ts'
import { refusalOf, stripeOf } from './stripe-client.ts'

const findUnderWay = async (
  db: Db,
  { workspaceId, id: invoiceId }: Pick<InvoiceRow, 'workspaceId' | 'id'>,
): Promise<PaymentRow | undefined> =>
  (await readPayments(db, { workspaceId, invoiceId })).find(isUnderWay)

/** Afterwards the invoice may be paid. @throws STATUS_NOT_ALLOWED while a bank is at it */
export const closePayment = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  invoice: Pick<InvoiceRow, 'workspaceId' | 'id'>,
): Promise<void> => {
  const payment = await findUnderWay(app.db, invoice)
  if (payment === undefined) return
  // Only Stripe could end it.
  if (app.config.stripe === null) return requireNoPayment(app.db, invoice)
  // Made first, where it is not: what was never made could not be ended for sure.
  const made = await makePayment(app, payment)
  if (typeof made === 'object' && 'id' in made && made.sessionId !== null)
    await expire(app, made.sessionId)
  await lookAtPayment(app, payment)
  await requireNoPayment(app.db, invoice)
}

/** Before the workspace ends: nobody could look at the invoice any more. @throws STATUS_NOT_ALLOWED while a bank is at one */
export const closePaymentsOf = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  workspaceId: string,
): Promise<void> => {
  if (app.config.stripe === null) return
  for (const { invoiceId: id } of await readUnderWay(app.db, workspaceId))
    await closePayment(app, { workspaceId, id })
}

/** Neither is money on its way, nor does a bank decide who gets it. @throws STATUS_NOT_ALLOWED */
export const requireNoPayment = async (
  db: Db,
  { workspaceId, id: invoiceId }: Pick<InvoiceRow, 'workspaceId' | 'id'>,
): Promise<void> => {
  const payments = await readPayments(db, { workspaceId, invoiceId })
  const isMoving = payments.some(isUnderWay)
  if (!isMoving && !payments.some(({ isDisputed }) => isDisputed)) return
  const invoice = await readInvoice(db, workspaceId, invoiceId)
  const name = invoice ? `invoice ${invoiceNumber(invoice)}` : 'this invoice'
  throw new AppError('STATUS_NOT_ALLOWED', {
    message: isMoving
      ? `A payment of ${name} is under way. Please try again in a few minutes.`
      : `A bank has not decided yet about a payment of ${name}.`,
  })
}

const expire = async (app: Pick<App, 'config'>, sessionId: string): Promise<void> => {
  const stripe = await stripeOf(app)
  try {
    await stripe.checkout.sessions.expire(sessionId)
  } catch (error) {
    // It has ended, or was paid.
    if (refusalOf(error) === null) throw error
  }
}
