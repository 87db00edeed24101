/** What the operator does with an invoice from a terminal: marks it as paid, or takes it back. Writes no mail there. */
import type { Invoice } from '#contract/billing.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import {
  findInvoiceByNumber,
  type InvoiceRow,
  lockBillingOf,
  readInvoice,
  setInvoice,
} from './billing-store.ts'
import { creditCents } from './credit-cents.ts'
import { activatePaid, endDue } from './end-due.ts'
import { insertEntries } from './stripe/card-store.ts'
import { closePayment, requireNoPayment } from './stripe/close-payment.ts'
import {
  invoiceEvent,
  invoiceNumber,
  openCentsOf,
  readInvoiceNumber,
  toInvoice,
} from './to-invoice.ts'

type Operator = Pick<App, 'db' | 'clock' | 'config'>

/**
 * Records that an invoice was paid. `number` as displayed ('MS-9F3A02-000042'), or without MS and zeros ('9F3A02-42').
 * A paid invoice stays as it is. Mailboxes that were suspended for want of the payment resume.
 * @throws NOT_EXISTS, also for what nobody pays: a credit note, or an invoice that was taken back as a whole
 */
export const markInvoicePaid = (app: Operator, number: string): Promise<Invoice> =>
  withInvoice(app, number, async (tx, row) => {
    if (row.status === 'Due') {
      const cents = openCentsOf(row)
      const collectedCents = row.collectedCents + cents
      const paid = { status: 'Paid' as const, paidAt: app.clock.now(), collectedCents }
      const noTrouble = { paymentState: null, paymentReason: '' }
      await endDue(tx, row, () => setInvoice(tx, row, { ...paid, ...noTrouble }))
      const { id: invoiceId, workspaceId } = row
      const entry = { id: newId(), workspaceId, invoiceId, kind: 'hand' as const }
      await insertEntries(tx, [{ ...entry, cents, at: paid.paidAt }])
      await activatePaid(tx, row)
      await noteEvent(tx, invoiceEvent('invoice.paid', row, paid.paidAt))
    }
    return { ...row, status: 'Paid' }
  })

/**
 * Takes back all that is still due of an invoice, by a credit note that a loop mails (decision 061). Its mailboxes stay as they
 * are, and those that were suspended for want of the payment resume. @returns the credit note
 * @throws NOT_EXISTS as `markInvoicePaid` does; STATUS_NOT_ALLOWED for one that is paid
 */
export const voidInvoice = (app: Operator, number: string): Promise<Invoice> =>
  withInvoice(app, number, async (tx, row) => {
    if (row.status === 'Paid')
      throw new AppError('STATUS_NOT_ALLOWED', {
        message: `${invoiceNumber(row)} is paid, so it cannot be taken back.`,
      })
    return endDue(tx, row, () => creditCents(app, tx, row, openCentsOf(row), VOID))
  })

const VOID = 'The invoice was taken back as a whole.'

/** The invoice is locked, and read again under the lock. What Stripe was asked to collect of it ends before. */
const withInvoice = async (
  app: Operator,
  number: string,
  change: (tx: Db, row: InvoiceRow) => Promise<InvoiceRow>,
): Promise<Invoice> => {
  const asked = readInvoiceNumber(number)
  if (asked === null) throw new AppError('NOT_EXISTS')
  const found = await findInvoiceByNumber(app.db, asked)
  if (!found) throw new AppError('NOT_EXISTS')
  if (found.status === 'Due') await closePayment(app, found)
  return app.db.transaction().execute(async (tx) => {
    await lockBillingOf(tx, found.workspaceId)
    const row = await readInvoice(tx, found.workspaceId, found.id)
    if (!row || row.status === 'Credited') throw new AppError('NOT_EXISTS')
    await requireNoPayment(tx, row)
    return toInvoice(await change(tx, row))
  })
}
