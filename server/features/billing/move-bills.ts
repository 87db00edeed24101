/**
 * What is due for the mailboxes of a domain becomes due in the workspace that it moves to: a credit note takes it back here, and a
 * new invoice asks for it there. No invoice changes (decision 061).
 */
import type { Currency } from '#contract/money.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, readInvoice } from './billing-store.ts'
import { issue, issueCredit } from './issue-invoice.ts'
import { currencyOf, invoiceNumber } from './to-invoice.ts'
import { lockDueInvoices, readDueLines } from './unpaid-store.ts'

/** Unpaid invoices of the workspace for these mailboxes, and what they ask for them. */
export const openBillsOf = async (
  app: App,
  workspaceId: string,
  mailboxIds: string[],
): Promise<{ dueInvoices: number; dueCents: number; dueCurrency: Currency }> => {
  const lines = await readDueLines(app.db, workspaceId, mailboxIds)
  const ids = [...new Set(lines.map(({ invoiceId }) => invoiceId))]
  const newest = ids.at(-1) && (await readInvoice(app.db, workspaceId, ids.at(-1) ?? ''))
  return {
    dueInvoices: ids.length,
    dueCents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    dueCurrency: newest ? currencyOf(newest) : app.config.currency,
  }
}

type Move = { from: string; to: string; domainName: string }

/** Paid invoices stay as they are with the workspace that paid. Both workspaces must be locked (decision 010). */
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
    if (invoice)
      await moveBill(
        ...([app, tx, move, invoice] as const),
        lines.filter(({ invoiceId }) => invoiceId === id),
      )
  }
}

type DueLine = Awaited<ReturnType<typeof readDueLines>>[number]

const moveBill = async (
  app: App,
  tx: Db,
  { to, domainName }: Move,
  invoice: InvoiceRow,
  due: DueLine[],
): Promise<void> => {
  const number = invoiceNumber(invoice)
  const lines = due.map(({ invoiceId: _, ...line }) => line)
  await issueCredit(app, tx, invoice, {
    lines: lines.map((line) => ({ ...line, creditedLineId: null })),
    note: `${domainName} moved to another workspace, which gets an invoice of its own.`,
  })
  await issue(app, tx, {
    workspaceId: to,
    ...{ periodStart: invoice.periodStart, periodEnd: invoice.periodEnd },
    currency: invoice.currency,
    lines: lines.map(({ id: _, ...line }) => ({ ...line, creditedLineId: null })),
    note: `${domainName} moved here. This invoice takes the place of a part of ${number}, which was credited.`,
  })
}
