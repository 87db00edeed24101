import { type Kysely, sql } from 'kysely'

/**
 * Each workspace has a series of invoice numbers, so that no number tells how many others have. What was issued keeps its
 * number, in the series without a name.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table invoices add column series text not null default ''`,
  'alter table invoices alter column series drop default',
  'alter table invoices alter column number drop default',
  'alter table invoices drop constraint invoices_number_key',
  'alter table invoices add constraint invoices_number unique (series, number)',
  'drop sequence invoice_numbers',
]
