/** What is due, and what became of it. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { InvoiceRow } from './billing-store.ts'

/** What credit notes left of lines of unpaid invoices of the workspace for these mailboxes, oldest invoice first. */
export const readDueLines = (db: Db, workspaceId: string, mailboxIds: string[]) =>
  uncredited(db, workspaceId)
    .select(['invoiceLines.id', 'invoiceLines.invoiceId', 'invoiceLines.mailboxId'])
    .select(['invoiceLines.email', leftOfLine.as('amountCents')])
    .where('invoices.status', '=', 'Due')
    .where('invoiceLines.mailboxId', '=', sql<string>`any(${mailboxIds}::uuid[])`)
    .orderBy('invoices.createdAt')
    .orderBy('invoices.id')
    .orderBy('invoiceLines.id')
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

/** What credit notes left of the lines of an invoice. */
export const readOpenLines = (db: Db, workspaceId: string, invoiceId: string) =>
  uncredited(db, workspaceId)
    .select(['invoiceLines.id', 'invoiceLines.mailboxId'])
    .select(['invoiceLines.email', leftOfLine.as('amountCents')])
    .where('invoices.id', '=', invoiceId)
    .orderBy('invoiceLines.id')
    .execute()

/** The mailboxes that an invoice is for, without what credit notes took back. */
export const readInvoicedMailboxes = async (
  db: Db,
  workspaceId: string,
  invoiceId: string,
): Promise<string[]> => {
  const rows = await uncredited(db, workspaceId)
    .select('invoiceLines.mailboxId')
    .where('invoices.id', '=', invoiceId)
    .execute()
  return rows.map(({ mailboxId }) => mailboxId)
}

/** Whether one of these mailboxes was paid for by another invoice, also in the workspace where it was before. */
export const hasOtherInvoice = async (
  db: Db,
  invoiceId: string,
  mailboxIds: string[],
): Promise<boolean> => {
  const found = await db
    .selectFrom('invoiceLines')
    .innerJoin('invoices', (on) =>
      on
        .onRef('invoices.id', '=', 'invoiceLines.invoiceId')
        .onRef('invoices.workspaceId', '=', 'invoiceLines.workspaceId'),
    )
    .select('invoices.id')
    .where('invoiceLines.mailboxId', '=', sql<string>`any(${mailboxIds}::uuid[])`)
    .where('invoices.id', '!=', invoiceId)
    .where('invoices.kind', '=', 'invoice')
    .where((is) => is.or([is('invoices.collectedCents', '>', 0), is('collection', '=', 'hand')]))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Those of them that no other unpaid invoice keeps suspended. */
export const readPayableMailboxes = async (
  db: Db,
  workspaceId: string,
  invoiceId: string,
): Promise<string[]> => {
  const kept = await uncredited(db, workspaceId)
    .select('invoiceLines.mailboxId')
    .where('invoices.status', '=', 'Due')
    .where('invoices.suspendedAt', 'is not', null)
    .where('invoices.id', '!=', invoiceId)
    .execute()
  const isKept = new Set(kept.map(({ mailboxId }) => mailboxId))
  return (await readInvoicedMailboxes(db, workspaceId, invoiceId)).filter((id) => !isKept.has(id))
}

/** Parts that were taken back do not name their line: an invoice has one for each mailbox. */
const leftOfLine = sql<number>`greatest(0, invoice_lines.amount_cents + coalesce((
    select sum(part.amount_cents) from invoices note join invoice_lines part
      on part.invoice_id = note.id and part.workspace_id = note.workspace_id
    where note.workspace_id = invoices.workspace_id and note.corrects_id = invoices.id
      and part.mailbox_id = invoice_lines.mailbox_id and part.credited_line_id is null), 0))::integer`

/** Lines that no credit note took back as a whole. */
const uncredited = (db: Db, workspaceId: string) =>
  db
    .selectFrom('invoiceLines')
    .innerJoin('invoices', (on) =>
      on
        .onRef('invoices.id', '=', 'invoiceLines.invoiceId')
        .onRef('invoices.workspaceId', '=', 'invoiceLines.workspaceId'),
    )
    .where('invoices.workspaceId', '=', workspaceId)
    .where('invoiceLines.workspaceId', '=', workspaceId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('invoiceLines as credit')
            .select('credit.id')
            .whereRef('credit.creditedLineId', '=', 'invoiceLines.id'),
        ),
      ),
    )

/** Unpaid invoices that were due before this time and whose mailboxes are not suspended yet. Across workspaces. */
export const readOverdue = (
  db: Db,
  dueBefore: Date,
): Promise<Pick<InvoiceRow, 'id' | 'workspaceId'>[]> =>
  db
    .selectFrom('invoices')
    .select(['id', 'workspaceId'])
    .where('status', '=', 'Due')
    .where('dueAt', '<', dueBefore)
    .where('suspendedAt', 'is', null)
    .orderBy('dueAt')
    .execute()
