/** Invoices: two dollars a mailbox and calendar month. Amounts are integer cents. */
import { z } from 'zod'
import * as fields from './fields.ts'
import { route } from './route.ts'

export const MAILBOX_PRICE_CENTS = 200

export const invoice = z.object({
  _id: fields.id,
  number: z.string(),
  /** 'Mailbox x N'. */
  productName: z.string(),
  amountCents: z.number().int(),
  /** Dollars, for display; calculate with the cents. */
  amount: z.number(),
  date: z.iso.datetime(),
  status: z.enum(['Due', 'Paid']),
})
export type Invoice = z.infer<typeof invoice>

export const listInvoices = route({
  method: 'GET',
  path: '/invoices',
  summary: 'The invoices of the workspace, newest first',
  access: 'manage-billing',
  reads: ['invoices'],
  query: z.strictObject(fields.page),
  output: z.object({ items: z.array(invoice), nextCursor: z.string().nullable() }),
  errors: [],
})

/** The header Idempotency-Key: a repeated key answers the same invoice. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

export const pay = route({
  method: 'POST',
  path: '/payments',
  summary: 'Invoice the inactive mailboxes among these and activate them',
  access: 'manage-billing',
  changes: ['mailboxes', 'invoices'],
  body: z.strictObject({
    mailboxIds: z.array(z.string().max(100)).min(1, 'Select at least one mailbox').max(1000),
  }),
  output: invoice,
  errors: ['NOT_EXISTS', 'NOTHING_TO_PAY', 'IDEMPOTENCY_MISMATCH', 'WORKSPACE_DELETED'],
  status: 201,
})
