import { type Kysely, sql } from 'kysely'

/** The operator's terminal issues credit notes, and the program that runs mails them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table invoices add column mail_waits boolean not null default false',
  'create index invoices_to_mail on invoices (id) where mail_waits',
  `create or replace function keep_invoice() returns trigger language plpgsql as $$
  declare
    open constant text[] := array['status', 'paid_at', 'credited_cents', 'reminders', 'reminded_at', 'suspended_at', 'mail_waits'];
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
]
