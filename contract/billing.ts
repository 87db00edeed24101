/**
 * Invoices: a price per mailbox and calendar month. An invoice never changes after it was issued; a credit note takes back what
 * is not owed any more (decision 061). Amounts are integer cents.
 */
import { z } from 'zod'
import * as fields from './fields.ts'
import { currencies } from './money.ts'
import { route } from './route.ts'

export const currency = z.enum(currencies)

/**
 * Of a payment by card. confirming: Stripe does not say yet. needs confirmation: the bank asks its owner. disputed: the owner of the
 * card asked the bank for the money back, and the bank has not decided. given back: it was paid, and Stripe gave money back. taken
 * back: the bank decided for the owner of the card. After these two nothing is charged by itself.
 */
export const paymentState = z.enum([
  ...(['confirming', 'failed', 'needs confirmation', 'disputed'] as const),
  ...(['given back', 'taken back'] as const),
])
export type PaymentState = z.infer<typeof paymentState>

export const invoicePayment = z.object({ state: paymentState, reason: z.string() })

export const invoice = z.object({
  _id: fields.id,
  number: z.string(),
  /** A credit note is in the same list and series; its amounts are negative. */
  kind: z.enum(['invoice', 'credit']),
  /** 'Mailbox x N'. */
  productName: z.string(),
  /** With tax. */
  amountCents: z.number().int(),
  /** Of the currency, for display; calculate with the cents. */
  amount: z.number(),
  currency,
  date: z.iso.datetime(),
  dueAt: z.iso.datetime(),
  /** Credited: a credit note, or an invoice that was taken back as a whole. */
  status: z.enum(['Due', 'Paid', 'Credited']),
  /** Whether Stripe collects it by card. */
  isByCard: z.boolean(),
  /** null: nothing to say. */
  payment: invoicePayment.nullable(),
})
export type Invoice = z.infer<typeof invoice>

export const listInvoices = route({
  name: 'listInvoices',
  method: 'GET',
  path: '/invoices',
  summary: 'The invoices of the workspace, newest first',
  access: 'manage-billing',
  reads: ['invoices'],
  query: z.strictObject(fields.page),
  output: z.object({ items: z.array(invoice), nextCursor: z.string().nullable() }),
  errors: [],
})

/** A side of an invoice as it was when it was issued. Texts may have several lines; '' where nothing was known. */
const party = z.object({ name: z.string(), address: z.string(), vatId: z.string() })
export const invoiceReference = z.object({
  _id: fields.id,
  number: z.string(),
  amountCents: z.number().int(),
})

export const invoiceDocument = invoice.extend({
  seller: party.extend({ email: z.string() }),
  buyer: party,
  /** The first and the last moment of the calendar month. */
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  /** The mailboxes of each domain, so that an agency sees what each client costs. */
  lines: z.array(
    z.object({
      domain: z.string(),
      quantity: z.number().int(),
      unitCents: z.number().int(),
      amountCents: z.number().int(),
    }),
  ),
  netCents: z.number().int(),
  taxName: z.string(),
  /** In hundredths of a percent. */
  taxRate: z.number().int(),
  taxCents: z.number().int(),
  /** How to pay it, in the words of the seller. */
  paymentDetails: z.string(),
  note: z.string(),
  paidAt: z.iso.datetime().nullable(),
  /** What is still to be paid. */
  openCents: z.number().int(),
  /** On a credit note: the invoice that it corrects. */
  corrects: invoiceReference.nullable(),
  /** The credit notes that correct this invoice. */
  credits: z.array(invoiceReference),
})
export type InvoiceDocument = z.infer<typeof invoiceDocument>

const byId = z.object({ id: z.string() })

export const getInvoice = route({
  name: 'getInvoice',
  method: 'GET',
  path: '/invoices/{id}',
  summary: 'An invoice or credit note as a document',
  access: 'manage-billing',
  reads: ['invoices'],
  params: byId,
  output: invoiceDocument,
  errors: ['NOT_EXISTS'],
})

export const getInvoicePdf = route({
  name: 'getInvoicePdf',
  method: 'GET',
  path: '/invoices/{id}/pdf',
  summary: 'The same as a PDF file',
  access: 'manage-billing',
  reads: ['invoices'],
  params: byId,
  output: z.string().describe('The file'),
  errors: ['NOT_EXISTS'],
  contentType: 'application/octet-stream',
})

/** What paying means here, as pages say it before Pay is pressed. */
export const price = z.object({
  /** Of a mailbox and calendar month, with tax. */
  cents: z.number().int(),
  currency,
  taxName: z.string(),
  /** In hundredths of a percent. */
  taxRate: z.number().int(),
  seller: z.string(),
  dueDays: z.number().int(),
})
export type Price = z.infer<typeof price>

/** The header Idempotency-Key: a repeated key answers the same invoice. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

export const pay = route({
  name: 'pay',
  method: 'POST',
  path: '/payments',
  summary: 'Invoice the inactive mailboxes among these and activate them',
  description:
    'Send an `Idempotency-Key`: a request that is repeated with it makes no second invoice.',
  access: 'manage-billing',
  changes: ['invoices', 'mailboxes'],
  body: z.strictObject({
    mailboxIds: z.array(z.string().max(100)).min(1, 'Select at least one mailbox').max(1000),
  }),
  output: invoice,
  errors: ['NOT_EXISTS', 'NOTHING_TO_PAY', 'IDEMPOTENCY_MISMATCH', 'WORKSPACE_DELETED'],
  status: 201,
})
