/** What was asked for, paid and given back in a time, across workspaces. For the accountant's table of operators. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export type Period = { from: Date; until: Date }

/** Invoices and credit notes that were issued in it. */
export const readDocuments = (db: Db, { from, until }: Period) =>
  db
    .selectFrom('invoices')
    .select(['kind', 'series', 'number', 'createdAt as at', 'buyerName', 'buyerVatId'])
    .select(['amountCents', 'taxCents', 'currency', 'status'])
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** What came in and went back in it, in the order of time. */
export const readMoved = (db: Db, { from, until }: Period) =>
  db
    .selectFrom('ledgerEntries as e')
    .innerJoin('invoices as i', (on) =>
      on.onRef('i.id', '=', 'e.invoiceId').onRef('i.workspaceId', '=', 'e.workspaceId'),
    )
    .leftJoin('cardPayments as p', (on) =>
      on.onRef('p.id', '=', 'e.cardPaymentId').onRef('p.workspaceId', '=', 'e.workspaceId'),
    )
    .select(['i.series', 'i.number', 'i.buyerName', 'i.buyerVatId', 'i.currency'])
    .select(['e.kind', 'e.cents', 'e.at', 'p.paymentIntentId'])
    .where('e.at', '>=', from)
    .where('e.at', '<', until)
    // Stripe tells seconds. In the same one, what comes in stands first.
    .orderBy(sql`date_trunc('second', e.at)`)
    .orderBy(sql`e.kind in ('refund', 'return')`)
    .orderBy('e.id')
    .execute()
