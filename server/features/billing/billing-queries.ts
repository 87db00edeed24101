/** Invoices, for later rooms that list or count them. */
import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

export const invoiceRows = (db: Db) =>
  db
    .selectFrom('invoices')
    .select(['workspaceId', 'status', 'amountCents', 'creditedCents', 'periodStart'])
    .select(['id', 'series', 'number', 'kind', 'mailboxCount', 'currency', 'buyerName'])
    .select(['createdAt', 'dueAt', 'paidAt'])

/** As `invoiceNumber` writes it, of a row of `invoiceRows` under this name. */
export const numberText = (row: string) => {
  const [series, number] = [sql.ref(`${row}.series`), sql.ref(`${row}.number`)]
  return sql<string>`concat_ws('-', 'MS', nullif(${series}, ''), lpad(${number}::text, greatest(6, length(${number}::text)), '0'))`
}

/** @returns its id */
export const findNumbered = async (
  db: Db,
  { series, number }: { series: string; number: number },
): Promise<string | null> => {
  const row = await invoiceRows(db)
    .where('series', '=', series)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.id ?? null
}
