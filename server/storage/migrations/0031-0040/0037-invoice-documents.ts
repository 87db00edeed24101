import { type Kysely, sql } from 'kysely'

/**
 * An invoice holds all that its document says, as it was when it was issued, and never changes afterwards (decision 061). Invoices
 * that were issued before get what was true of them: no tax, and the buyer that the workspace names now.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table company_profiles add column vat_id text not null default ''`,
  'alter table mailboxes add column is_overdue boolean not null default false',
  `alter table invoices
    add column kind text not null default 'invoice' check (kind in ('invoice', 'credit')),
    add column corrects_id uuid references invoices on delete cascade,
    add column due_at timestamptz,
    add column currency text not null default 'usd',
    add column tax_name text not null default '',
    add column tax_rate integer not null default 0,
    add column tax_cents integer not null default 0,
    add column note text not null default '',
    add column seller_name text not null default '',
    add column seller_address text not null default '',
    add column seller_vat_id text not null default '',
    add column seller_email text not null default '',
    add column payment_details text not null default '',
    add column buyer_name text not null default '',
    add column buyer_address text not null default '',
    add column buyer_vat_id text not null default '',
    add column credited_cents integer not null default 0,
    add column reminders integer not null default 0,
    add column reminded_at timestamptz,
    add column suspended_at timestamptz`,
  `update invoices set due_at = invoices.created_at + interval '14 days', buyer_name = workspaces.name
    from workspaces where workspaces.id = invoices.workspace_id`,
  `update invoices set buyer_name = company_profiles.name,
      buyer_address = concat_ws(E'\\n', nullif(address, ''), nullif(concat_ws(' ', nullif(zip_code, ''), nullif(city, '')), ''))
    from company_profiles where company_profiles.workspace_id = invoices.workspace_id and company_profiles.name <> ''`,
  'alter table invoices alter column due_at set not null',
  ...[
    ...['kind', 'currency', 'tax_name', 'tax_rate', 'tax_cents', 'note', 'seller_name'],
    ...['seller_address', 'seller_vat_id', 'seller_email', 'payment_details', 'buyer_name'],
    ...['buyer_address', 'buyer_vat_id'],
  ].map((column) => `alter table invoices alter column ${column} drop default`),
  'alter table invoices drop constraint invoices_status_check',
  `alter table invoices add constraint invoices_status_check check (status in ('Due', 'Paid', 'Credited'))`,
  `alter table invoices add constraint invoices_credit check (
    case kind when 'credit' then corrects_id is not null and amount_cents <= 0 and status = 'Credited'
    else corrects_id is null and amount_cents >= 0 and credited_cents between 0 and amount_cents end)`,
  'create index invoices_corrects on invoices (corrects_id) where corrects_id is not null',
  `create index invoices_due on invoices (due_at) where status = 'Due'`,
  // A line is credited once.
  'alter table invoice_lines add column credited_line_id uuid unique references invoice_lines on delete cascade',

  `create function keep_invoice() returns trigger language plpgsql as $$
  declare
    open constant text[] := array['status', 'paid_at', 'credited_cents', 'reminders', 'reminded_at', 'suspended_at'];
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
  `create trigger keep_invoice before update or delete on invoices for each row execute function keep_invoice()`,
  `create function keep_invoice_line() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' or exists (select from invoices where id = old.invoice_id) then
      raise exception 'a line of an issued invoice does not change: %', old.id;
    end if;
    return old;
  end $$`,
  `create trigger keep_invoice_line before update or delete on invoice_lines for each row execute function keep_invoice_line()`,
  // No line is added later: all of them make up the amount.
  `create function fill_invoice() returns trigger language plpgsql as $$
  begin
    if exists (
      select from (select distinct invoice_id from added) touched
      join invoices on invoices.id = touched.invoice_id
      where abs(invoices.amount_cents) < (select abs(sum(amount_cents)) from invoice_lines where invoice_lines.invoice_id = invoices.id)
    ) then
      raise exception 'the lines of an invoice are more than its amount';
    end if;
    return null;
  end $$`,
  `create trigger fill_invoice after insert on invoice_lines referencing new table as added
    for each statement execute function fill_invoice()`,
]
