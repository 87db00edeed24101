import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { lockTables } from '../lock-tables.ts'

/**
 * What is unique in the whole installation has small tables of its own, which lead to the workspace (decision 141): addresses of
 * mailboxes and aliases, names of verified domains, numbers of invoices. Triggers keep them, so that programs of the release before do
 * so, too. The next migration fills the large ones.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await lockTables(db, ['mailboxes', 'aliases', 'domains', 'invoices'])
  for (const statement of statements) await sql.raw(statement).execute(db)
  await fillDomains(db)
}

export const fillDomains = async (db: QueryExecutorProvider): Promise<void> => {
  await sql`
    insert into verified_domains (name, workspace_id, domain_id)
    select name, workspace_id, id from domains where is_verified on conflict do nothing`.execute(db)
}

const SAME_ROWS =
  'It refuses no row that the unique key of its table lets in: an alias never has the address of a mailbox.'

export const narrows = Object.fromEntries(
  [
    ...['mailboxes', 'aliases'].map((table) => ['keep_address', table]),
    ...[
      ['keep_verified_domain', 'domains'],
      ['keep_invoice_number', 'invoices'],
    ],
  ].map(([trigger, table]) => [`the trigger ${trigger} of ${table} is new`, SAME_ROWS]),
)

const statements = [
  `create table addresses (
    email text primary key,
    workspace_id uuid not null,
    mailbox_id uuid unique
  )`,
  `create table verified_domains (
    name text primary key,
    workspace_id uuid not null,
    domain_id uuid not null
  )`,
  `create table invoice_numbers (
    series text not null,
    number integer not null,
    workspace_id uuid not null,
    primary key (series, number)
  )`,
  `create function keep_address() returns trigger language plpgsql as $$
  declare of_mailbox boolean := tg_table_name = 'mailboxes';
  begin
    if tg_op = 'INSERT' then
      insert into addresses (email, workspace_id, mailbox_id)
        values (new.email, new.workspace_id, case when of_mailbox then new.id end);
    elsif tg_op = 'UPDATE' then
      update addresses set email = new.email, workspace_id = new.workspace_id
        where email = old.email and mailbox_id is not distinct from case when of_mailbox then old.id end;
    else
      delete from addresses
        where email = old.email and mailbox_id is not distinct from case when of_mailbox then old.id end;
    end if;
    return null;
  end $$`,
  ...['mailboxes', 'aliases'].map(
    (
      table,
    ) => `create trigger keep_address after insert or delete or update of email, workspace_id on ${table}
      for each row execute function keep_address()`,
  ),
  `create function keep_verified_domain() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      delete from verified_domains where name = old.name and domain_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      if new.is_verified then
        insert into verified_domains (name, workspace_id, domain_id) values (new.name, new.workspace_id, new.id);
      end if;
    end if;
    return null;
  end $$`,
  `create trigger keep_verified_domain after insert or delete or update of name, is_verified, workspace_id on domains
    for each row execute function keep_verified_domain()`,
  `create function keep_invoice_number() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      delete from invoice_numbers where series = old.series and number = old.number and workspace_id = old.workspace_id;
    end if;
    if tg_op <> 'DELETE' then
      insert into invoice_numbers (series, number, workspace_id) values (new.series, new.number, new.workspace_id);
    end if;
    return null;
  end $$`,
  `create trigger keep_invoice_number after insert or delete or update of series, number, workspace_id on invoices
    for each row execute function keep_invoice_number()`,
]
