import { type Kysely, sql } from 'kysely'

/**
 * A series of invoice numbers per workspace, so that no number reveals how many invoices other workspaces have. Issued invoices
 * keep their number, in the series ''.
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
