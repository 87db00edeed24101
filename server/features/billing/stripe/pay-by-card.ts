/** What an Admin does about payments by card: pays an invoice, looks again, changes the card. */
import { AppError } from '#contract/errors.ts'
import type { SavedCard } from '#contract/workspace/card-payments.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isId } from '#server/lib/ids.ts'
import { readInvoice } from '../billing-store.ts'
import { beginPayment, isUnderWay } from './begin-payment.ts'
import { readCustomer, readPayments } from './card-store.ts'
import { lookAtPayment } from './look-at-payment.ts'
import { withdrawOutdated } from './orders.ts'
import { stripeOf } from './stripe-client.ts'
import { refreshCustomer } from './stripe-customer.ts'

type Asking = Pick<App, 'db' | 'clock' | 'config'>

/**
 * The page where an invoice is paid: the open one, or a new one. Another try that has ended at Stripe is written down first.
 * @throws NOT_EXISTS; NOTHING_TO_PAY, also while the saved card is being charged
 */
export const openCheckout = async (
  app: Asking,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  invoiceId: string,
): Promise<{ url: string }> => {
  if (!isId(invoiceId) || !(await readInvoice(app.db, workspaceId, invoiceId)))
    throw new AppError('NOT_EXISTS')
  await stripeOf(app)
  if (await withdrawOutdated(app, { workspaceId, id: invoiceId })) throw nothing(OUTDATED)
  let refused = ''
  for (let tries = 0; tries < 2; tries++) {
    const begun = await beginPayment(app, { workspaceId, invoiceId }, 'checkout')
    const payment = await lookAtPayment(app, begun)
    if (payment.state === 'open' && payment.sessionUrl !== null) return { url: payment.sessionUrl }
    if (isUnderWay(payment)) throw nothing('A payment of this invoice is being confirmed')
    refused = payment.reason
  }
  throw nothing(refused || 'Nothing is to be paid of this invoice now')
}

const OUTDATED =
  'The month of this invoice has ended, so it was taken back. Please pay for its mailboxes anew on the page Mailboxes'

const nothing = (message: string) => new AppError('NOTHING_TO_PAY', { message })

/** @throws NOT_EXISTS */
export const lookAtInvoice = async (
  app: Asking,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  invoiceId: string,
): Promise<void> => {
  const invoice = isId(invoiceId) ? await readInvoice(app.db, workspaceId, invoiceId) : undefined
  if (!invoice) throw new AppError('NOT_EXISTS')
  if (app.config.stripe === null) return
  const payments = await readPayments(app.db, { workspaceId, invoiceId })
  for (const payment of payments.filter(isUnderWay)) await lookAtPayment(app, payment)
}

export const getSavedCard = async (
  { db }: Pick<App, 'db'>,
  { workspaceId }: Pick<Who, 'workspaceId'>,
): Promise<{ card: SavedCard | null }> => {
  const row = await readCustomer(db, workspaceId)
  if (!row?.paymentMethodId) return { card: null }
  return { card: { brand: nameOf(row.cardBrand), last4: row.cardLast4, expires: row.cardExpires } }
}

const names: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

const nameOf = (brand: string): string =>
  names[brand] ?? `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}`

/** @throws NOTHING_TO_PAY before the first payment, when there is nothing to change */
export const openPortal = async (
  app: Asking,
  { workspaceId }: Pick<Who, 'workspaceId'>,
): Promise<{ url: string }> => {
  const stripe = await stripeOf(app)
  const row = await readCustomer(app.db, workspaceId)
  if (!row?.customerId) throw nothing('A card is saved when the first invoice is paid')
  const { url } = await stripe.billingPortal.sessions.create({
    customer: row.customerId,
    return_url: `${app.config.publicUrl}/dashboard/profile?tab=billing&card=changed`,
  })
  return { url }
}

export const refreshSavedCard = async (
  app: Asking,
  who: Pick<Who, 'workspaceId'>,
): Promise<{ card: SavedCard | null }> => {
  const row = await readCustomer(app.db, who.workspaceId)
  if (row && app.config.stripe !== null) await refreshCustomer(app, row)
  return getSavedCard(app, who)
}
