import { sql } from 'kysely'
import type { InvoiceOrder, OperatedInvoice } from '#contract/operator/invoices.ts'
import { invoiceRows, numberText } from '#server/features/billing/billing-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Placed, Range, SortKind, Sought } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { type SortKey, sortedBy } from '#server/storage/sorted-rows.ts'

const sortKeys: Record<InvoiceOrder, SortKey> = {
  created: { by: sql`i.created_at`, kind: 'time' },
  amount: { by: sql`i.amount_cents`, kind: 'number' },
}

export const invoiceSortKind = (order: InvoiceOrder): SortKind => sortKeys[order].kind

export type InvoiceSearch = Sought<InvoiceOrder> & { only: OperatedInvoice['status'] | null }

export const readInvoicePage = async (
  db: Db,
  search: InvoiceSearch,
  range: Range,
): Promise<Placed[]> => (await invoicePageQuery(db, search, range).execute(db)).rows

/** Exported, so that a test can check its query plan. */
export const invoicePageQuery = (db: Db, search: InvoiceSearch, range: Range) => {
  const sorted = sortedBy(sortKeys[search.order], sql`i.id`, search.direction, range)
  return sql<Placed>`select i.id, ${sorted.value} as "sortValue" from ${invoiceRows(db)} i
    where ${isWanted(db, search)} and ${sorted.isBeyond} order by ${sorted.order} limit ${sorted.limit}`
}

export const countInvoices = async (db: Db, search: InvoiceSearch): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${invoiceRows(db)} i where ${isWanted(db, search)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** In the number, the name of the workspace, or the buyer. */
const isWanted = (db: Db, { pattern, only }: InvoiceSearch) =>
  sql.join(
    [
      only === null ? sql`true` : sql`i.status = ${only}`,
      ...(pattern === null
        ? []
        : [
            sql`(${numberText('i')} ilike ${pattern} or i.buyer_name ilike ${pattern} or i.workspace_id in (
              select w.id from ${workspaceRows(db)} w where w.name ilike ${pattern}))`,
          ]),
    ],
    sql` and `,
  )

/** In no order. */
export const readListedInvoices = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom(invoiceRows(db).as('i'))
    .innerJoin(workspaceRows(db).as('w'), 'w.id', 'i.workspaceId')
    .selectAll('i')
    .select('w.name as workspaceName')
    .where('i.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
