import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** Unpaid invoices of the workspace with lines for any of these mailboxes. */
export const dueInvoicesOf = (db: Db, workspaceId: string, mailboxIds: string[]) =>
  db
    .selectFrom('invoices')
    .innerJoin('invoiceLines', 'invoiceLines.invoiceId', 'invoices.id')
    .select(({ fn }) => [
      'invoices.id',
      'invoices.mailboxCount',
      'invoices.periodStart',
      'invoices.periodEnd',
      'invoices.createdAt',
      fn.countAll<number>().as('movedCount'),
      sql<number>`sum(invoice_lines.amount_cents)::integer`.as('movedCents'),
    ])
    .where('invoices.workspaceId', '=', workspaceId)
    .where('invoices.status', '=', 'Due')
    .where('invoiceLines.mailboxId', '=', sql<string>`any(${mailboxIds}::uuid[])`)
    .groupBy('invoices.id')
    .orderBy('invoices.createdAt')
    .orderBy('invoices.id')
    .execute()

/** Locked: they cannot be marked as paid until the transaction ends. */
export const lockDueInvoices = async (db: Db, workspaceId: string): Promise<void> => {
  await db
    .selectFrom('invoices')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('status', '=', 'Due')
    .orderBy('id')
    .forUpdate()
    .execute()
}

type Lines = { invoiceId: string; from: string; toInvoiceId: string; to: string }

export const moveLines = async (
  db: Db,
  { invoiceId, from, toInvoiceId, to }: Lines,
  mailboxIds: string[],
): Promise<void> => {
  await db
    .updateTable('invoiceLines')
    .set({ invoiceId: toInvoiceId, workspaceId: to })
    .where('workspaceId', '=', from)
    .where('invoiceId', '=', invoiceId)
    .where('mailboxId', '=', sql<string>`any(${mailboxIds}::uuid[])`)
    .execute()
}

export const moveInvoice = async (db: Db, from: string, id: string, to: string): Promise<void> => {
  await db
    .updateTable('invoices')
    .set({ workspaceId: to })
    .where('workspaceId', '=', from)
    .where('id', '=', id)
    .execute()
}

export const deductFromInvoice = async (
  db: Db,
  workspaceId: string,
  id: string,
  moved: { amountCents: number; mailboxCount: number },
): Promise<void> => {
  await db
    .updateTable('invoices')
    .set((eb) => ({
      amountCents: eb('amountCents', '-', moved.amountCents),
      mailboxCount: eb('mailboxCount', '-', moved.mailboxCount),
    }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
