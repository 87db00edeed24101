/**
 * What is due for the mailboxes of a domain becomes due in the workspace that it moves to: a credit note takes it back here, and a
 * new invoice asks for it there. No invoice changes (decision 061).
 */
import type { Currency } from '#contract/money.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, readInvoice } from './billing-store.ts'
import { linesFor } from './credit-cents.ts'
import { issue, issueCredit } from './issue-invoice.ts'
import { closePayment, requireNoPayment } from './stripe/close-payment.ts'
import { currencyOf, invoiceNumber, openCentsOf } from './to-invoice.ts'
import { lockDueInvoices, readDueLines } from './unpaid-store.ts'

/** Unpaid invoices of the workspace for these mailboxes, and what of them moves: no more than is open of each. */
export const openBillsOf = async (
  app: App,
  workspaceId: string,
  mailboxIds: string[],
): Promise<{ dueInvoices: number; dueCents: number; dueCurrency: Currency }> => {
  const lines = await readDueLines(app.db, workspaceId, mailboxIds)
  const ids = [...new Set(lines.map(({ invoiceId }) => invoiceId))]
  const read = await Promise.all(ids.map((id) => readInvoice(app.db, workspaceId, id)))
  const invoices = read.filter((invoice) => invoice !== undefined)
  const newest = invoices.at(-1)
  const moving = invoices.flatMap((invoice) => movingOf(invoice, lines))
  return {
    dueInvoices: ids.length,
    dueCents: moving.reduce((sum, { amountCents }) => sum + amountCents, 0),
    dueCurrency: newest ? currencyOf(newest) : app.config.currency,
  }
}

/** Before the move, without a lock: the pages where they could be paid are closed. @throws STATUS_NOT_ALLOWED while a bank is at one */
export const closeBillsOf = async (
  app: Pick<App, 'db' | 'clock' | 'config'>,
  workspaceId: string,
  mailboxIds: string[],
): Promise<void> => {
  if (app.config.stripe === null) return
  const lines = await readDueLines(app.db, workspaceId, mailboxIds)
  for (const id of new Set(lines.map(({ invoiceId }) => invoiceId)))
    await closePayment(app, { workspaceId, id })
}

type Move = { from: string; to: string; domainName: string }

/**
 * Paid invoices stay as they are with the workspace that paid. Both workspaces must be locked (decision 010).
 * @throws STATUS_NOT_ALLOWED while a payment of one is under way, or a bank decides about one
 */
export const moveBills = async (
  app: App,
  tx: Db,
  move: Move,
  mailboxIds: string[],
): Promise<void> => {
  await lockDueInvoices(tx, move.from)
  const lines = await readDueLines(tx, move.from, mailboxIds)
  for (const id of new Set(lines.map(({ invoiceId }) => invoiceId))) {
    const invoice = await readInvoice(tx, move.from, id)
    if (invoice) await moveBill(app, tx, move, invoice, movingOf(invoice, lines))
  }
}

type DueLine = Awaited<ReturnType<typeof readDueLines>>[number]

/** What was paid of an invoice stays with the workspace that paid. */
const movingOf = (invoice: InvoiceRow, lines: readonly DueLine[]) =>
  linesFor(
    lines.filter(({ invoiceId }) => invoiceId === invoice.id),
    openCentsOf(invoice),
  )

const moveBill = async (
  app: App,
  tx: Db,
  { to, domainName }: Move,
  invoice: InvoiceRow,
  moving: ReturnType<typeof movingOf>,
): Promise<void> => {
  await requireNoPayment(tx, invoice)
  const number = invoiceNumber(invoice)
  const lines = moving.map(({ invoiceId: _, ...line }) => line)
  if (lines.length === 0) return
  await issueCredit(app, tx, invoice, {
    lines: lines.map((line) => ({ ...line, creditedLineId: null })),
    note: `${domainName} moved to another workspace, which gets an invoice of its own.`,
  })
  await issue(app, tx, {
    workspaceId: to,
    ...{ periodStart: invoice.periodStart, periodEnd: invoice.periodEnd },
    currency: invoice.currency,
    lines: lines.map(({ id: _, isPart: _part, ...line }) => ({ ...line, creditedLineId: null })),
    note: `${domainName} moved here. This invoice takes the place of a part of ${number}, which was credited.`,
  })
}
