import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { insertNumbered } from './billing-store.ts'
import {
  deductFromInvoice,
  dueInvoicesOf,
  lockDueInvoices,
  moveInvoice,
  moveLines,
} from './moved-bills-store.ts'

/** Unpaid invoices of the workspace for these mailboxes. */
export const openBillsOf = async (
  db: Db,
  workspaceId: string,
  mailboxIds: string[],
): Promise<{ dueInvoices: number; dueCents: number }> => {
  const invoices = await dueInvoicesOf(db, workspaceId, mailboxIds)
  return {
    dueInvoices: invoices.length,
    dueCents: invoices.reduce((sum, { movedCents }) => sum + movedCents, 0),
  }
}

/**
 * Unpaid lines of these mailboxes move to the other workspace; an invoice that has lines of other mailboxes too
 * is split. Paid invoices stay with the workspace that paid. Both workspaces must be locked (decision 010).
 */
export const moveBills = async (
  app: App,
  tx: Db,
  { from, to }: { from: string; to: string },
  mailboxIds: string[],
): Promise<void> => {
  await lockDueInvoices(tx, from)
  for (const invoice of await dueInvoicesOf(tx, from, mailboxIds)) {
    const { id, mailboxCount, movedCount, movedCents } = invoice
    if (movedCount === mailboxCount) {
      await moveLines(tx, { invoiceId: id, from, toInvoiceId: id, to }, mailboxIds)
      await moveInvoice(tx, from, id, to)
      continue
    }
    const toInvoiceId = newId(app.clock.now().getTime())
    await insertNumbered(tx, {
      id: toInvoiceId,
      workspaceId: to,
      amountCents: movedCents,
      mailboxCount: movedCount,
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      createdAt: invoice.createdAt,
    })
    await moveLines(tx, { invoiceId: id, from, toInvoiceId, to }, mailboxIds)
    await deductFromInvoice(tx, from, id, { amountCents: movedCents, mailboxCount: movedCount })
  }
  const topic = 'invoices'
  await announceChange(tx, { topic, workspaceId: from }, { topic, workspaceId: to })
}
