import { type Kysely, sql } from 'kysely'

/** Payments by card: what Stripe was asked to collect, and what became of it (decision 123). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table invoices
    add column collection text not null default 'hand' check (collection in ('hand', 'card')),
    add column collected_cents integer not null default 0,
    add column payment_state text,
    add column payment_reason text not null default ''`,
  `create or replace function keep_invoice() returns trigger language plpgsql as $$
  declare
    open constant text[] := array['status', 'paid_at', 'credited_cents', 'reminders', 'reminded_at', 'suspended_at', 'mail_waits',
      'collected_cents', 'payment_state', 'payment_reason'];
  begin
    if tg_op = 'DELETE' then
      if exists (select from workspaces where id = old.workspace_id) then
        raise exception 'an issued invoice is not deleted: %', old.id;
      end if;
      return old;
    end if;
    if to_jsonb(old) - open <> to_jsonb(new) - open then
      raise exception 'an issued invoice does not change: %', old.id;
    end if;
    return new;
  end $$`,
  `update invoices set collected_cents = amount_cents - credited_cents where status = 'Paid'`,
  // The customer of a workspace at Stripe, and its saved card. customer_id null: none yet, or it was deleted there.
  `create table card_customers (
    workspace_id uuid primary key references workspaces on delete cascade,
    generation integer not null default 1,
    customer_id text unique,
    payment_method_id text,
    card_brand text not null default '',
    card_last4 text not null default '',
    card_expires text not null default '',
    updated_at timestamptz not null
  )`,
  `create table card_payments (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    invoice_id uuid not null references invoices on delete cascade,
    attempt integer not null,
    kind text not null check (kind in ('checkout', 'saved card')),
    state text not null check (state in ('open', 'confirming', 'paid', 'failed', 'expired')),
    amount_cents integer not null check (amount_cents > 0),
    currency text not null,
    customer_id text,
    payment_method_id text,
    session_id text,
    session_url text,
    payment_intent_id text,
    reason text not null default '',
    created_at timestamptz not null,
    look_at timestamptz,
    ended_at timestamptz,
    paid_cents integer not null default 0,
    refunded_cents integer not null default 0,
    disputed_cents integer not null default 0,
    is_disputed boolean not null default false,
    mail_waits text check (mail_waits in ('refused', 'reopened')),
    unique (invoice_id, attempt)
  )`,
  // One collection at most is open for an invoice: so nothing is charged twice.
  `create unique index card_payments_open on card_payments (invoice_id) where state in ('open', 'confirming')`,
  'create index card_payments_look on card_payments (look_at) where look_at is not null',
  'create index card_payments_to_mail on card_payments (id) where mail_waits is not null',
  'create index card_payments_workspace on card_payments (workspace_id)',
  `create table card_refunds (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    card_payment_id uuid not null references card_payments on delete cascade,
    amount_cents integer not null check (amount_cents > 0),
    note text not null,
    asked_by text not null,
    state text not null check (state in ('open', 'done', 'refused')),
    refund_id text,
    credit_id uuid references invoices on delete cascade,
    created_at timestamptz not null
  )`,
  'create index card_refunds_payment on card_refunds (card_payment_id)',
  `create index card_refunds_open on card_refunds (created_at) where state = 'open'`,
  'create index card_refunds_workspace on card_refunds (workspace_id)',
  'create index card_refunds_credit on card_refunds (credit_id) where credit_id is not null',
  // Each once. What it is about is asked of Stripe, and not believed.
  `create table stripe_events (
    id text primary key,
    type text not null,
    object_id text not null,
    received_at timestamptz not null,
    next_at timestamptz,
    tries integer not null default 0
  )`,
  'create index stripe_events_waiting on stripe_events (next_at) where next_at is not null',
  'create index stripe_events_received on stripe_events (received_at)',
]
