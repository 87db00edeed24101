/** Invoices, their lines, and the keys that payments were made with. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { lockWorkspaceRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'
import { inParts } from '#server/storage/raw-rows.ts'
import type {
  InvoiceLinesTable,
  InvoicesTable,
  PaymentsTable,
} from '#server/storage/rows/workspace-tables.ts'

export type InvoiceRow = Selectable<InvoicesTable>

/** Without its number, and without what becomes of it. */
export type NewInvoice = Omit<Insertable<InvoicesTable>, 'series' | 'number' | 'status' | 'paidAt'>
export type NewInvoiceLine = Omit<Insertable<InvoiceLinesTable>, 'id' | 'workspaceId' | 'invoiceId'>

/** Locks invoicing of this workspace until the transaction ends. */
export const lockBillingOf = (db: Db, workspaceId: string): Promise<void> =>
  lockWorkspaceRows(db, [workspaceId])

/** The random end of the workspace id. Two workspaces with the same end share one sequence. */
const seriesOf = (workspaceId: string): string => workspaceId.slice(-6).toUpperCase()

/** The next number of the workspace, which must be locked. */
const insertNumbered = (db: Db, invoice: NewInvoice): Promise<InvoiceRow> => {
  const series = seriesOf(invoice.workspaceId)
  return db
    .insertInto('invoices')
    .values((from) => ({
      ...invoice,
      ...{ status: invoice.kind === 'credit' ? 'Credited' : 'Due', paidAt: null, series },
      number: from
        .selectFrom('invoiceNumbers')
        .select(sql<number>`coalesce(max(number), 0) + 1`.as('next'))
        .where('series', '=', series),
    }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const insertInvoice = async (
  db: Db,
  invoice: NewInvoice,
  lines: NewInvoiceLine[],
): Promise<InvoiceRow> => {
  const row = await insertNumbered(db, invoice)
  const { workspaceId, id: invoiceId } = row
  const at = row.createdAt.getTime()
  const rows = lines.map((line) => ({ ...line, id: newId(at), workspaceId, invoiceId }))
  for (const part of inParts(rows)) await db.insertInto('invoiceLines').values(part).execute()
  return row
}

export const readInvoice = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The lines of an invoice by domain and price. */
export const readDomainLines = (db: Db, workspaceId: string, invoiceId: string) =>
  db
    .selectFrom('invoiceLines')
    .select((line) => [
      sql<string>`split_part(email, '@', 2)`.as('domain'),
      'amountCents as unitCents',
      line.fn.countAll<number>().as('quantity'),
      sql<number>`sum(amount_cents)::integer`.as('amountCents'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('invoiceId', '=', invoiceId)
    .groupBy(['domain', 'unitCents'])
    .orderBy('domain')
    .execute()

/** The credit notes of an invoice, oldest first. */
export const readCredits = (db: Db, workspaceId: string, invoiceId: string) =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('correctsId', '=', invoiceId)
    .orderBy('number')
    .execute()

/** Newest first, starting after `after`. */
export const readInvoices = async (
  db: Db,
  workspaceId: string,
  limit: number,
  after: PagePosition | null,
): Promise<InvoiceRow[]> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.at}, ${after?.id}::uuid)`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** One whose mail waits, locked; another worker takes the others. Across workspaces. */
export const lockInvoiceToMail = (db: Db): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('mailWaits', '=', true)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** For the operator, across workspaces. */
export const findInvoiceByNumber = async (
  db: Db,
  { series, number }: Pick<InvoiceRow, 'series' | 'number'>,
): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('series', '=', series)
    .where('number', '=', number)
    .executeTakeFirst()

export const setInvoice = async (
  db: Db,
  { id, workspaceId }: Pick<InvoiceRow, 'id' | 'workspaceId'>,
  state: Partial<
    Pick<
      InvoiceRow,
      | 'status'
      | 'paidAt'
      | 'creditedCents'
      | 'reminders'
      | 'remindedAt'
      | 'suspendedAt'
      | 'mailWaits'
      | 'collectedCents'
      | 'paymentState'
      | 'paymentReason'
    >
  >,
): Promise<void> => {
  await db
    .updateTable('invoices')
    .set(state)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export const countInvoices = async (db: Db, workspaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('invoices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export const readPayment = async (db: Db, workspaceId: string, key: string) =>
  db
    .selectFrom('payments')
    .select(['requestHash', 'invoiceId'])
    .where('workspaceId', '=', workspaceId)
    .where('key', '=', key)
    .executeTakeFirst()

export const insertPayment = async (db: Db, payment: Insertable<PaymentsTable>): Promise<void> => {
  await db.insertInto('payments').values(payment).execute()
}

/** Mailboxes of the workspace that are in use this month and not invoiced for it. */
export const readUnbilledMailboxes = async (db: Db, workspaceId: string, monthStart: Date) =>
  unbilled(db, monthStart)
    .select(['mailboxes.id', 'mailboxes.email'])
    .where('mailboxes.workspaceId', '=', workspaceId)
    .orderBy('mailboxes.email')
    .execute()

/** Workspaces that have such mailboxes. For the monthly job, across workspaces. */
export const readUnbilledWorkspaces = async (db: Db, monthStart: Date): Promise<string[]> => {
  const rows = await unbilled(db, monthStart).select('mailboxes.workspaceId').distinct().execute()
  return rows.map((row) => row.workspaceId)
}

const unbilled = (db: Db, monthStart: Date) =>
  db
    .selectFrom(mailboxRows(db).as('mailboxes'))
    .innerJoin(workspaceRows(db).as('workspaces'), 'workspaces.id', 'mailboxes.workspaceId')
    .where('mailboxes.status', 'in', ['active', 'suspended'])
    // What was deleted is not billed any more (decision 062).
    .where('mailboxes.endsAt', 'is', null)
    .where('workspaces.endsAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('invoiceLines')
            .innerJoin('invoices', (on) =>
              on
                .onRef('invoices.id', '=', 'invoiceLines.invoiceId')
                .onRef('invoices.workspaceId', '=', 'invoiceLines.workspaceId'),
            )
            .select('invoiceLines.id')
            .whereRef('invoiceLines.mailboxId', '=', 'mailboxes.id')
            .where('invoices.periodStart', '=', monthStart),
        ),
      ),
    )
