/** Invoices, cards and payments as an installation with BILLING=stripe answers them. */
import type { Invoice, InvoiceDocument } from '#contract/billing.ts'
import type { Installation } from '#contract/installation.ts'
import type { CardPayment, OperatedInvoiceDetails } from '#contract/operator/invoices.ts'
import type { GivenAnswer } from '../../intercept.ts'
import { oneInvoice } from '../operator/invoice-answers.ts'

const SELLER = 'Königlich-Preußische Post- und Fernmeldegesellschaft mbH'

const byStripe: Installation = {
  billing: 'stripe',
  price: {
    ...{ cents: 200, currency: 'usd', taxName: 'VAT', taxRate: 1900, seller: SELLER, dueDays: 14 },
  },
  ...{ mailboxLimit: 500, signUp: 'open', termsUrl: null, privacyUrl: null },
  ...{ operatorName: SELLER, operatorContact: 'post@post-office.example', google: false },
  ...{ googleIsGoogle: false, trial: [], hidesRecords: false, keepsSystemMail: false },
  mailServer: {
    ...{ host: 'mail.post-office.example', fingerprint: null, imapsPort: 993, imapPort: 143 },
    ...{ submissionsPort: 465, submissionPort: 587 },
  },
  sandboxDns: false,
}

export const STRIPE = { 'GET /installation': { json: byStripe } }

const CARD = { brand: 'American Express', last4: '0005', expires: '2032-04' }
export const SAVED = { 'GET /billing/card': { json: { card: CARD } } }
export const UNSAVED = { 'GET /billing/card': { json: { card: null } } }

const ID = '0190d5a0-0000-7000-8000-000000000042'
export const PLACE = `/dashboard/invoices/${ID}`

const listed: Invoice = {
  ...{ _id: ID, number: 'MS-9F3A02-000042', kind: 'invoice', productName: 'Mailbox x 642' },
  ...{ amountCents: 128_400, amount: 1284, currency: 'usd', status: 'Due', isByCard: true },
  ...{ date: '2026-11-01T00:00:00.000Z', dueAt: '2026-11-15T00:00:00.000Z', payment: null },
}

const document: InvoiceDocument = {
  ...listed,
  seller: {
    ...{ name: SELLER, address: 'Spreeufer 1\n10115 Berlin', vatId: 'DE 123456789' },
    email: 'post@post-office.example',
  },
  buyer: { name: 'Analytical Engines', address: '12 St James’s Square\nLondon', vatId: '' },
  ...{ periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2026-11-30T23:59:59.999Z' },
  lines: [{ domain: 'engines.example', quantity: 642, unitCents: 200, amountCents: 128_400 }],
  ...{ netCents: 107_899, taxName: 'VAT', taxRate: 1900, taxCents: 20_501, note: '' },
  paymentDetails: 'By card, on the page Billing at https://post-office.example',
  ...{ paidAt: null, openCents: 128_400, corrects: null, credits: [] },
}

/** The page of an invoice by card; also asked anew at Stripe. */
export const invoiceOf = (given: Partial<InvoiceDocument>): Record<string, GivenAnswer> => {
  const json = { ...document, ...given }
  return { 'GET /invoices/*': { json }, 'POST /invoices/*/look': { json } }
}

export const paid = { status: 'Paid', paidAt: '2026-11-03T09:00:00.000Z', openCents: 0 } as const

export const inState = (
  state: NonNullable<Invoice['payment']>['state'],
  reason = '',
): Pick<Invoice, 'payment'> => ({ payment: { state, reason } })

const states = [
  inState('confirming'),
  inState('failed', 'There is not enough money on the card'),
  inState('needs confirmation', 'The bank asks the owner of the card to confirm the payment'),
  ...[inState('disputed'), inState('given back'), inState('taken back')],
]

/** An invoice in each state, and one that is paid. */
export const everyState = {
  'GET /invoices?*': {
    json: {
      items: [...states, paid].map((given, at) => ({
        ...{ ...listed, ...given, _id: ID.replace('42', `5${at}`) },
        number: `MS-9F3A02-00005${at}`,
      })),
      nextCursor: null,
    },
  },
}

const payment = (given: Partial<CardPayment>): CardPayment => ({
  ...{ _id: crypto.randomUUID(), kind: 'saved card', state: 'failed', amountCents: 128_400 },
  ...{ at: '2026-11-03T09:00:00.000Z', leftCents: 0, refundedCents: 0, disputedCents: 0 },
  ...{ reason: '', stripeId: 'pi_3QxyzABCDEF0123456789', ...given },
})

/** As its operator sees it: refused twice, paid, and a part given back. */
export const operated: OperatedInvoiceDetails = {
  ...{ ...oneInvoice, status: 'Paid', paidAt: '2026-11-05T09:00:00.000Z' },
  document: { ...oneInvoice.document, openCents: 0 },
  payments: [
    payment({ reason: 'There is not enough money on the card' }),
    payment({ kind: 'checkout', state: 'expired', stripeId: '' }),
    payment({ kind: 'checkout', state: 'paid', leftCents: 108_400, refundedCents: 20_000 }),
  ],
}
