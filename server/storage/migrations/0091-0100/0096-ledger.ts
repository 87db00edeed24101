import { type Kysely, sql } from 'kysely'

/** What came in for invoices and went back, each in its time, and what Stripe told of the buyer (decision 123). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export const narrows = {
  'the trigger collect_paid_invoice of invoices is new':
    'It writes the entry that older programs do not know of, and refuses nothing.',
}

const statements = [
  `create table ledger_entries (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    invoice_id uuid not null references invoices on delete cascade,
    kind text not null check (kind in ('card', 'hand', 'refund', 'return')),
    cents integer not null check (cents <> 0),
    at timestamptz not null,
    card_payment_id uuid references card_payments on delete cascade,
    source text
  )`,
  'create index ledger_entries_at on ledger_entries (at)',
  'create index ledger_entries_workspace on ledger_entries (workspace_id)',
  'create index ledger_entries_invoice on ledger_entries (invoice_id)',
  'create index ledger_entries_payment on ledger_entries (card_payment_id) where card_payment_id is not null',
  // The version before 0089 marks an invoice paid without its sum. Until no process of it runs, the database adds it.
  `create function collect_paid_invoice() returns trigger language plpgsql as $$
  begin
    insert into ledger_entries (id, workspace_id, invoice_id, kind, cents, at)
      values (gen_random_uuid(), new.workspace_id, new.id, 'hand', new.amount_cents - new.credited_cents - new.collected_cents,
        coalesce(new.paid_at, now()));
    new.collected_cents := new.amount_cents - new.credited_cents;
    return new;
  end $$`,
  `create trigger collect_paid_invoice before update on invoices for each row
    when (old.status = 'Due' and new.status = 'Paid' and new.amount_cents - new.credited_cents > new.collected_cents)
    execute function collect_paid_invoice()`,
  // What it marked so since 0089.
  `update invoices set collected_cents = amount_cents - credited_cents
    where status = 'Paid' and kind = 'invoice' and amount_cents - credited_cents > collected_cents`,
  `insert into ledger_entries
    select gen_random_uuid(), workspace_id, invoice_id, 'card', paid_cents, coalesce(ended_at, created_at), id, payment_intent_id
    from card_payments where paid_cents > 0`,
  `insert into ledger_entries
    select gen_random_uuid(), r.workspace_id, p.invoice_id, 'refund', -r.amount_cents, r.created_at, p.id, r.refund_id
    from card_refunds r join card_payments p on p.id = r.card_payment_id where r.state = 'done'`,
  `alter table card_customers add column told text not null default ''`,
  // When the other returns were, Stripe knows.
  `update card_payments p set look_at = now() where refunded_cents + disputed_cents > 0`,
  `insert into ledger_entries
    select gen_random_uuid(), i.workspace_id, i.id, 'hand', i.collected_cents - kept.cents, coalesce(i.paid_at, i.created_at)
    from invoices i cross join lateral (
      select coalesce(sum(greatest(0, paid_cents - refunded_cents - disputed_cents)), 0) as cents
      from card_payments p where p.invoice_id = i.id) kept
    where i.kind = 'invoice' and i.collected_cents > kept.cents`,
]
