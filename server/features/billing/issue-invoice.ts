/** Issues invoices and credit notes. All that their documents say is fixed here, and never changes (decision 061). */
import type { Invoice } from '#contract/billing.ts'
import { taxIn } from '#contract/money.ts'
import type { App } from '#server/app.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { companyOf } from '#server/features/workspaces/company-profile.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  type InvoiceRow,
  insertInvoice,
  type NewInvoice,
  type NewInvoiceLine,
  setInvoice,
} from './billing-store.ts'
import { mailInvoice } from './invoice-mail.ts'
import { balanceOf, invoiceEvent, toInvoice } from './to-invoice.ts'

/** The calendar month of a moment in UTC: its start, and the start of the next month. */
export const monthOf = (at: Date): { start: Date; end: Date } => ({
  start: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
  end: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)),
})

/** Invoices these mailboxes for the current month, inside the caller's transaction, which has locked the workspace. */
export const issueInvoice = async (
  app: App,
  db: Db,
  workspaceId: string,
  mailboxes: { id: string; email: string }[],
): Promise<Invoice> => {
  const { start: periodStart, end: periodEnd } = monthOf(app.clock.now())
  const { mailboxPriceCents: amountCents, currency } = app.config
  const lines = mailboxes.map(({ id: mailboxId, email }) => ({ mailboxId, email, amountCents }))
  const row = await issue(app, db, {
    ...{ workspaceId, periodStart, periodEnd, currency, note: '' },
    lines: lines.map((line) => ({ ...line, creditedLineId: null })),
  })
  return toInvoice(row)
}

export type ToIssue = Pick<
  NewInvoice,
  'workspaceId' | 'periodStart' | 'periodEnd' | 'currency' | 'note'
> & { lines: NewInvoiceLine[] }

/** As `issueInvoice`, for lines of any price and month. */
export const issue = async (
  app: App,
  db: Db,
  { lines, ...given }: ToIssue,
): Promise<InvoiceRow> => {
  const { tax, seller, invoiceDueDays, billing } = app.config
  const createdAt = app.clock.now()
  const row = await file(app, db, lines, {
    ...given,
    ...{ kind: 'invoice', correctsId: null, createdAt, dueAt: endOfDay(createdAt, invoiceDueDays) },
    ...{ taxName: tax.name, taxRate: tax.rate },
    ...{ sellerName: seller.name, sellerAddress: seller.address, sellerVatId: seller.vatId },
    ...{ sellerEmail: seller.email, paymentDetails: paymentDetailsOf(app.config) },
    collection: billing === 'stripe' ? 'card' : 'hand',
    ...(await buyerOf(db, given.workspaceId)),
  })
  await noteEvent(db, invoiceEvent('invoice.created', row, createdAt))
  await mailInvoice(app, db, row)
  return row
}

const paymentDetailsOf = ({ billing, seller, publicUrl }: App['config']): string =>
  billing === 'stripe' ? `By card, on the page Billing at ${publicUrl}` : seller.paymentDetails

/** `isPart`: the line is not taken back as a whole, so the rest of it can be taken back later. */
export type Credit = {
  lines: (NewInvoiceLine & { id: string; isPart?: boolean })[]
  note: string
}

/**
 * Takes back lines of a locked invoice that is due: by a credit note for the sides and the tax of that invoice. An invoice that
 * is taken back as a whole is not due any more.
 */
export const issueCredit = async (
  app: App,
  db: Db,
  invoice: InvoiceRow,
  credit: Credit,
): Promise<void> => mailInvoice(app, db, await fileCredit(app, db, invoice, credit))

/** Like `issueCredit`, without the mail. */
export const fileCredit = async (
  app: Pick<App, 'clock'>,
  db: Db,
  invoice: InvoiceRow,
  { lines, note, mailWaits = false }: Credit & { mailWaits?: boolean },
): Promise<InvoiceRow> => {
  const createdAt = app.clock.now()
  const taken = lines.map(({ id, isPart = false, ...line }) => ({
    ...{ ...line, amountCents: -line.amountCents, creditedLineId: isPart ? null : id },
  }))
  const credit = await file(app, db, taken, {
    ...sidesOf(invoice),
    ...{ kind: 'credit', correctsId: invoice.id, note, createdAt, dueAt: createdAt, mailWaits },
  })
  const creditedCents = invoice.creditedCents - credit.amountCents
  const isPaid = invoice.status === 'Due' && balanceOf({ ...invoice, creditedCents }) <= 0
  await setInvoice(db, invoice, {
    creditedCents,
    // The rest of it was paid before.
    ...(isPaid && { status: 'Paid', paidAt: createdAt }),
    ...(creditedCents === invoice.amountCents && { status: 'Credited', paidAt: invoice.paidAt }),
  })
  return credit
}

const sidesOf = (row: InvoiceRow) => ({
  ...{ workspaceId: row.workspaceId, periodStart: row.periodStart, periodEnd: row.periodEnd },
  ...{ currency: row.currency, taxName: row.taxName, taxRate: row.taxRate },
  ...{ sellerName: row.sellerName, sellerAddress: row.sellerAddress },
  ...{ sellerVatId: row.sellerVatId, sellerEmail: row.sellerEmail },
  ...{ buyerName: row.buyerName, buyerAddress: row.buyerAddress, buyerVatId: row.buyerVatId },
  ...{ paymentDetails: row.paymentDetails, collection: row.collection },
})

type Said = Omit<NewInvoice, 'id' | 'amountCents' | 'mailboxCount' | 'taxCents'>

const file = async (
  app: Pick<App, 'clock'>,
  db: Db,
  lines: NewInvoiceLine[],
  said: Said,
): Promise<InvoiceRow> => {
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  const row = await insertInvoice(
    db,
    {
      ...said,
      id: newId(app.clock.now().getTime()),
      amountCents,
      mailboxCount: lines.length,
      taxCents: taxIn(amountCents, said.taxRate),
    },
    lines,
  )
  await announceChange(db, { topic: 'invoices', workspaceId: row.workspaceId })
  return row
}

/** The last moment of the day in UTC. */
const endOfDay = (from: Date, days: number): Date =>
  new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + days + 1) - 1)

/** The company profile now; until there is one, the workspace by its name. */
export const buyerOf = async (db: Db, workspaceId: string) => {
  const company = await companyOf(db, workspaceId)
  const { address, zipCode, city, country, vatId: buyerVatId } = company
  const buyerName = company.name || (await readWorkspace(db, workspaceId)).name
  const lines = [address, `${zipCode} ${city}`.trim(), country && countryName(country)]
  return { buyerName, buyerVatId, buyerAddress: lines.filter(Boolean).join('\n') }
}

/** The specification's three countries have values of their own. */
export const regions: Record<string, string> = { usa: 'US', canada: 'CA', uk: 'GB' }

const countryName = (country: string): string =>
  new Intl.DisplayNames('en', { type: 'region' }).of(regions[country] ?? country) ?? country
