/** What two workspaces owe and paid. */
import type { OperatedInvoice, OperatedInvoiceDetails } from '#contract/operator/invoices.ts'

const due = {
  ...{ _id: '0190d5a0-0000-7000-8000-000000000042', number: 'MS-9F3A02-000042', kind: 'invoice' },
  ...{ amountCents: 128_400, currency: 'usd', status: 'Due', mailboxes: 642 },
  ...{ date: '2026-11-01T00:00:00.000Z', dueAt: '2026-11-15T00:00:00.000Z', paidAt: null },
  workspaceId: '0190d5a0-0000-7000-8000-000000000001',
  workspaceName: 'Königlich-Preußische Porzellan-Manufaktur zu Berlin an der Spree',
  buyer: 'Königlich-Preußische Porzellan-Manufaktur GmbH & Co. KG',
} satisfies OperatedInvoice

const paid = {
  ...due,
  ...{ _id: '0190d5a0-0000-7000-8000-000000000043', number: 'MS-77B0C1-000007', status: 'Paid' },
  ...{ amountCents: 200, mailboxes: 1, workspaceName: 'Engines', buyer: '' },
  ...{ paidAt: '2026-11-03T00:00:00.000Z' },
} satisfies OperatedInvoice

export const someInvoices = {
  ...{ items: [due, paid] as const, total: 2, nextCursor: null, previousCursor: null },
}

export const oneInvoice: OperatedInvoiceDetails = {
  ...due,
  payments: [],
  document: {
    ...{ openCents: 128_400, credits: [], corrects: null },
    lines: [
      { domain: 'porzellan.example', quantity: 640, unitCents: 200, amountCents: 128_000 },
      { domain: 'manufaktur.example', quantity: 2, unitCents: 200, amountCents: 400 },
    ],
  },
}
