/** Invoices, for rooms that count them. */
import type { Db } from '#server/storage/database.ts'

export const invoiceRows = (db: Db) =>
  db
    .selectFrom('invoices')
    .select(['workspaceId', 'status', 'amountCents', 'creditedCents', 'periodStart'])
