import { type Kysely, sql } from 'kysely'

/** The books outlive a workspace: one that has an invoice is closed and never deleted, and no entry of the ledger changes (decision 123). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const CLOSED = 'Older programs close a workspace that has invoices, too, and delete neither.'

export const narrows = {
  'the reference invoices_workspace_id_fkey of invoices is another': CLOSED,
  'rows of workspaces are held by invoices_workspace_id_fkey of invoices': CLOSED,
  'rows of workspaces are held by ledger_entries_workspace_id_fkey of ledger_entries': CLOSED,
  'rows of invoices are held by ledger_entries_invoice_id_fkey of ledger_entries': CLOSED,
  'rows of card_payments are held by ledger_entries_card_payment_id_fkey of ledger_entries': CLOSED,
}

const statements = [
  // The rows were checked by the constraint before. A workspace that is being restored from a backup has none.
  ...[
    ['invoices', 'workspace_id', 'workspaces'],
    ['ledger_entries', 'workspace_id', 'workspaces'],
    ['ledger_entries', 'invoice_id', 'invoices'],
    ['ledger_entries', 'card_payment_id', 'card_payments'],
  ].map(
    ([table, column, other]) => `alter table ${table}
      drop constraint if exists ${table}_${column}_fkey,
      add constraint ${table}_${column}_fkey foreign key (${column}) references ${other} not valid`,
  ),
  `create function keep_ledger() returns trigger language plpgsql as $$
  begin
    raise exception 'an entry of the ledger does not change: %', old.id;
  end $$`,
  `create trigger keep_ledger before update or delete on ledger_entries for each row execute function keep_ledger()`,
]
