/** From the rows of an invoice to what the API answers, and to what its document says. */
import type { Invoice, InvoiceDocument } from '#contract/billing.ts'
import { currencies } from '#contract/money.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, readCredits, readDomainLines, readInvoice } from './billing-store.ts'

export const invoiceNumber = ({ series, number }: Pick<InvoiceRow, 'series' | 'number'>): string =>
  ['MS', ...(series === '' ? [] : [series]), String(number).padStart(6, '0')].join('-')

/** 'MS-9F3A02-000042', or without MS and zeros: '9F3A02-42'. null: the text is no number. */
export const readInvoiceNumber = (text: string): Pick<InvoiceRow, 'series' | 'number'> | null => {
  const [, series = '', digits] = /^(?:MS-)?(?:([0-9A-F]{6})-)?(\d{1,15})$/i.exec(text.trim()) ?? []
  return digits === undefined ? null : { series: series.toUpperCase(), number: Number(digits) }
}

export const toInvoice = (row: InvoiceRow): Invoice => ({
  _id: row.id,
  number: invoiceNumber(row),
  kind: row.kind,
  productName: `Mailbox x ${row.mailboxCount}`,
  amountCents: row.amountCents,
  amount: row.amountCents / 100,
  currency: currencyOf(row),
  date: row.createdAt.toISOString(),
  dueAt: row.dueAt.toISOString(),
  status: row.status,
  isByCard: row.collection === 'card',
  payment:
    row.paymentState === null ? null : { state: row.paymentState, reason: row.paymentReason },
})

/** For webhooks. */
export const invoiceEvent = <Topic extends 'invoice.created' | 'invoice.paid'>(
  topic: Topic,
  row: InvoiceRow,
  at: Date,
) => ({
  ...{ topic, workspaceId: row.workspaceId, about: row.id, at },
  data: {
    ...{ invoiceId: row.id, number: invoiceNumber(row) },
    ...{ amountCents: row.amountCents, currency: row.currency },
  },
})

export const currencyOf = ({ currency }: Pick<InvoiceRow, 'currency'>): Invoice['currency'] =>
  currencies.find((known) => known === currency) ?? 'usd'

/** What is still to be paid. */
export const openCentsOf = (row: InvoiceRow): number => (row.status === 'Due' ? balanceOf(row) : 0)

/** What was asked for and neither taken back nor paid; less than nothing: more was paid. */
export const balanceOf = ({
  amountCents,
  creditedCents,
  collectedCents,
}: Pick<InvoiceRow, 'amountCents' | 'creditedCents' | 'collectedCents'>): number =>
  amountCents - creditedCents - collectedCents

export const documentOf = async (db: Db, row: InvoiceRow): Promise<InvoiceDocument> => {
  const { id, workspaceId, correctsId } = row
  const lines = await readDomainLines(db, workspaceId, id)
  const corrects = correctsId && (await readInvoice(db, workspaceId, correctsId))
  const credits = row.kind === 'invoice' ? await readCredits(db, workspaceId, id) : []
  return {
    ...toInvoice(row),
    seller: {
      ...{ name: row.sellerName, address: row.sellerAddress, vatId: row.sellerVatId },
      email: row.sellerEmail,
    },
    buyer: { name: row.buyerName, address: row.buyerAddress, vatId: row.buyerVatId },
    periodStart: row.periodStart.toISOString(),
    periodEnd: new Date(row.periodEnd.getTime() - 1).toISOString(),
    lines: lines.map((line) => ({
      ...line,
      domain: toUnicodeDomain(line.domain),
      // A credit note takes mailboxes back at their price.
      ...(row.kind === 'credit' && { quantity: -line.quantity, unitCents: -line.unitCents }),
    })),
    netCents: row.amountCents - row.taxCents,
    ...{ taxName: row.taxName, taxRate: row.taxRate, taxCents: row.taxCents },
    ...{ paymentDetails: row.paymentDetails, note: row.note },
    paidAt: row.paidAt?.toISOString() ?? null,
    openCents: openCentsOf(row),
    corrects: corrects ? referenceTo(corrects) : null,
    credits: credits.map(referenceTo),
  }
}

const referenceTo = (row: InvoiceRow) => ({
  _id: row.id,
  number: invoiceNumber(row),
  amountCents: row.amountCents,
})
