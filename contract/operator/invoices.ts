/** The invoices of all workspaces, as operators see and settle them. */
import { z } from 'zod'
import { invoice, invoiceDocument } from '../billing.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { listed, pagesOf } from './paged-list.ts'

export const invoiceOrder = z.enum(['created', 'amount'])
export type InvoiceOrder = z.infer<typeof invoiceOrder>

export const operatedInvoice = invoice
  .pick({ _id: true, number: true, kind: true, amountCents: true, currency: true, date: true })
  .extend({
    ...invoice.pick({ dueAt: true, status: true }).shape,
    workspaceId: fields.id,
    workspaceName: z.string(),
    mailboxes: z.number().int(),
    buyer: z.string().describe("As the document says it; '' where nothing was known."),
    paidAt: z.iso.datetime().nullable(),
  })
export type OperatedInvoice = z.infer<typeof operatedInvoice>

export const listOperatedInvoices = route({
  name: 'listOperatedInvoices',
  method: 'GET',
  path: '/operator/invoices',
  summary: 'The invoices and credit notes of all workspaces',
  access: 'operator',
  reads: ['operating'],
  query: z.object({
    /** `q`: a number, or words in the name of the workspace or of the buyer. */
    ...listed(invoiceOrder, 'created'),
    only: invoice.shape.status.optional(),
  }),
  output: pagesOf(operatedInvoice),
  errors: [],
})

export const moneyMonths = z.object({
  firstMonth: fields.month,
  lastMonth: fields.month.describe('The last month; 24 at most.'),
})
export type MoneyMonths = z.infer<typeof moneyMonths>

const MOST_MONTHS = 24

/** Of '2026-11', so that two can be compared. */
export const monthsSinceZero = (month: string): number => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return year * 12 + number - 1
}

/** null: they are in order. */
export const wrongMonths = ({ firstMonth, lastMonth }: MoneyMonths): string | null => {
  const more = monthsSinceZero(lastMonth) - monthsSinceZero(firstMonth)
  if (more < 0) return 'The last month is before the first'
  return more < MOST_MONTHS ? null : `A table has ${MOST_MONTHS} months at most`
}

export const moneyFormat = z.object({
  separator: z.enum([',', ';']).optional(),
  decimal: z.enum(['.', ',']).optional(),
})
export type MoneyFormat = z.infer<typeof moneyFormat>

export const exportMoney = route({
  name: 'exportMoney',
  method: 'GET',
  path: '/operator/money',
  summary: 'Invoices, credit notes, payments and returns of some months in UTC, as CSV',
  access: 'operator',
  reads: ['operating'],
  query: moneyMonths.extend(moneyFormat.shape),
  output: z.string(),
  errors: [],
  contentType: 'text/plain',
})

const byId = z.object({ id: z.string() })

export const cardPayment = z.object({
  _id: fields.id,
  kind: z.enum(['checkout', 'saved card']),
  state: z.enum(['open', 'confirming', 'paid', 'failed', 'expired']),
  at: z.iso.datetime(),
  amountCents: z.number().int(),
  /** What can be given back of it. */
  leftCents: z.number().int(),
  refundedCents: z.number().int(),
  disputedCents: z.number().int(),
  reason: z.string(),
  /** Of the payment at Stripe; '' where none was made. */
  stripeId: z.string(),
})
export type CardPayment = z.infer<typeof cardPayment>

export const operatedInvoiceDetails = operatedInvoice.extend({
  document: invoiceDocument.pick({ lines: true, credits: true, corrects: true, openCents: true }),
  /** Tries to collect it by card, oldest first. */
  payments: z.array(cardPayment),
})
export type OperatedInvoiceDetails = z.infer<typeof operatedInvoiceDetails>

export const getOperatedInvoice = route({
  name: 'getOperatedInvoice',
  method: 'GET',
  path: '/operator/invoices/{id}',
  summary: 'An invoice, by its id or its number',
  access: 'operator',
  reads: ['operating'],
  params: byId,
  output: operatedInvoiceDetails,
  errors: ['NOT_EXISTS'],
})

export const settleInvoice = route({
  name: 'settleInvoice',
  method: 'POST',
  path: '/operator/invoices/{id}/settle',
  summary: 'Mark an invoice paid, or take back what is due of it by a credit note',
  access: 'operator',
  changes: ['operating', 'invoices'],
  params: byId,
  body: z.strictObject({ as: z.enum(['paid', 'void']) }),
  output: operatedInvoice,
  errors: ['NOT_EXISTS', 'STATUS_NOT_ALLOWED'],
})

export const refundInvoice = route({
  name: 'refundInvoice',
  method: 'POST',
  path: '/operator/invoices/{id}/refund',
  summary: 'Give money of a payment by card back, with a credit note',
  access: 'operator',
  changes: ['operating', 'invoices'],
  params: byId,
  body: z.strictObject({
    cents: z.number().int().min(1, 'At least one cent').max(100_000_000),
    /** The buyer reads it on the credit note. */
    note: z.string().trim().min(1, 'Please say why').max(500),
  }),
  output: operatedInvoice,
  errors: ['NOT_EXISTS', 'STATUS_NOT_ALLOWED', 'NOTHING_TO_PAY'],
})
