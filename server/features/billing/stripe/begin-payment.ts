/** One try to collect an invoice is decided here, under the lock of its workspace, and written down before Stripe is asked. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { type InvoiceRow, lockBillingOf, readInvoice } from '../billing-store.ts'
import { openCentsOf } from '../to-invoice.ts'
import { insertPayment, openCustomer, type PaymentRow, readPayments } from './card-store.ts'

export type Collected = { workspaceId: string; invoiceId: string }

/**
 * The payment of an invoice that is under way, or a new one of what is open. At most one of an invoice is under way.
 * @throws NOT_EXISTS; NOTHING_TO_PAY, also while a bank decides who gets the money of an earlier payment
 */
export const beginPayment = (
  app: Pick<App, 'db' | 'clock'>,
  { workspaceId, invoiceId }: Collected,
  kind: PaymentRow['kind'],
): Promise<PaymentRow> =>
  app.db.transaction().execute(async (tx) => {
    await lockBillingOf(tx, workspaceId)
    const invoice = await readInvoice(tx, workspaceId, invoiceId)
    if (invoice?.kind !== 'invoice') throw new AppError('NOT_EXISTS')
    const earlier = await readPayments(tx, { workspaceId, invoiceId })
    const underWay = earlier.find(isUnderWay)
    if (underWay) return underWay
    requireOpen(invoice, earlier)
    const now = app.clock.now()
    const customer = await openCustomer(tx, workspaceId, now)
    return insertPayment(tx, {
      ...{ id: newId(now.getTime()), workspaceId, invoiceId, kind, state: 'open' },
      attempt: (earlier.at(-1)?.attempt ?? 0) + 1,
      ...{ amountCents: openCentsOf(invoice), currency: invoice.currency },
      paymentMethodId: kind === 'saved card' ? customer.paymentMethodId : null,
      ...{ createdAt: now, lookAt: now },
    })
  })

export const isUnderWay = ({ state }: Pick<PaymentRow, 'state'>): boolean =>
  state === 'open' || state === 'confirming'

const requireOpen = (invoice: InvoiceRow, earlier: readonly PaymentRow[]): void => {
  if (openCentsOf(invoice) <= 0)
    throw new AppError('NOTHING_TO_PAY', { message: 'Nothing is to be paid of this invoice' })
  if (earlier.some(({ isDisputed }) => isDisputed))
    throw new AppError('NOTHING_TO_PAY', {
      message: 'A bank has not decided yet about an earlier payment of this invoice',
    })
}
