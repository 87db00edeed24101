/** The invoices of all workspaces, for operators: which are due, and what became of one (decision 104). */
import { AppError } from '#contract/errors.ts'
import { formatAmount } from '#contract/money.ts'
import type {
  InvoiceOrder,
  OperatedInvoice,
  OperatedInvoiceDetails,
} from '#contract/operator/invoices.ts'
import { findNumbered } from '#server/features/billing/billing-queries.ts'
import { getInvoice } from '#server/features/billing/invoices.ts'
import { markInvoicePaid, voidInvoice } from '#server/features/billing/settle-invoice.ts'
import { listCardPayments, refundInvoice } from '#server/features/billing/stripe/refund-payment.ts'
import {
  currencyOf,
  invoiceNumber,
  readInvoiceNumber,
} from '#server/features/billing/to-invoice.ts'
import {
  noteAction,
  type Operator,
  type OperatorApp,
} from '#server/features/operators/operators.ts'
import { isId } from '#server/lib/ids.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import {
  countInvoices,
  invoiceSortKind,
  readInvoicePage,
  readListedInvoices,
} from './invoices-store.ts'

type InvoiceListing = Listing<InvoiceOrder> & { only?: OperatedInvoice['status'] | undefined }

export const listInvoices = async (
  { db }: Pick<OperatorApp, 'db'>,
  listing: InvoiceListing,
): Promise<Paged<OperatedInvoice> & { total: number }> => {
  const search = { ...soughtBy(listing), only: listing.only ?? null }
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, invoiceSortKind(listing.order), (range) => readInvoicePage(db, search, range)),
    countInvoices(db, search),
  ])
  const ids = items.map(({ id }) => id)
  const byId = new Map((await readListedInvoices(db, ids)).map((row) => [row.id, toListed(row)]))
  return { ...page, items: ids.flatMap((id) => byId.get(id) ?? []), total }
}

type ListedRow = Awaited<ReturnType<typeof readListedInvoices>>[number]

const toListed = (row: ListedRow): OperatedInvoice => ({
  _id: row.id,
  number: invoiceNumber(row),
  currency: currencyOf(row),
  ...{ kind: row.kind, amountCents: row.amountCents, status: row.status, buyer: row.buyerName },
  ...{ workspaceId: row.workspaceId, workspaceName: row.workspaceName },
  mailboxes: row.mailboxCount,
  date: row.createdAt.toISOString(),
  dueAt: row.dueAt.toISOString(),
  paidAt: row.paidAt?.toISOString() ?? null,
})

/** By its id or its number. @throws NOT_EXISTS */
export const requireInvoice = async (db: Db, wanted: string): Promise<OperatedInvoice> => {
  const number = readInvoiceNumber(wanted)
  const id = isId(wanted) ? wanted : number && (await findNumbered(db, number))
  const [row] = id ? await readListedInvoices(db, [id]) : []
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return toListed(row)
}

/** @throws NOT_EXISTS */
export const showInvoice = async (
  { db }: Pick<OperatorApp, 'db'>,
  wanted: string,
): Promise<OperatedInvoiceDetails> => {
  const invoice = await requireInvoice(db, wanted)
  const [document, payments] = await Promise.all([
    getInvoice({ db }, invoice, invoice._id),
    listCardPayments(db, { workspaceId: invoice.workspaceId, invoiceId: invoice._id }),
  ])
  return { ...invoice, document, payments }
}

/**
 * Gives money of a payment by card back at Stripe, and a credit note for it.
 * @throws NOT_EXISTS; STATUS_NOT_ALLOWED where so much is not left of one payment
 */
export const giveBack = async (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
  { cents, note }: { cents: number; note: string },
): Promise<OperatedInvoice> => {
  const { _id: invoiceId, number, workspaceId, currency } = await requireInvoice(app.db, wanted)
  await refundInvoice(app, { workspaceId, invoiceId, cents, note, askedBy: operator })
  await noteAction(app.db, app.clock.now(), operator, {
    ...{ verb: 'invoice refund', workspaceId, subject: number },
    detail: formatAmount(cents, currency),
  })
  return requireInvoice(app.db, invoiceId)
}

/**
 * Marks it paid, or takes back what is due of it. The record is written right behind (decision 104).
 * @returns what it is now; of one that was taken back, the credit note
 * @throws NOT_EXISTS also for a credit note; STATUS_NOT_ALLOWED to take back one that is paid
 */
export const settleInvoice = async (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
  as: 'paid' | 'void',
): Promise<OperatedInvoice> => {
  const { number, workspaceId } = await requireInvoice(app.db, wanted)
  const settled = await (as === 'paid' ? markInvoicePaid : voidInvoice)(app, number)
  const action = { verb: `invoice ${as}`, workspaceId, subject: number } as const
  await noteAction(app.db, app.clock.now(), operator, action)
  return requireInvoice(app.db, settled._id)
}
