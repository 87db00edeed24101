import { type Kysely, sql } from 'kysely'

/** Company profiles, and links that change the e-mail of an account. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table company_profiles (
    workspace_id uuid primary key references workspaces on delete cascade,
    name text not null,
    website text not null,
    phone text not null,
    address text not null,
    zip_code text not null,
    country text not null,
    city text not null,
    time_zone text not null,
    time_format text not null,
    updated_at timestamptz not null
  )`,
  'alter table mail_links drop constraint mail_links_purpose_check',
  `alter table mail_links add constraint mail_links_purpose_check
    check (purpose in ('email-verification', 'reset-password', 'change-email'))`,
  "create index mail_links_change on mail_links (email) where purpose = 'change-email'",
  // For domains that move to another workspace with the outgoing mail of their mailboxes and the invoices.
  'create index outbox_messages_mailbox on outbox_messages (mailbox_id)',
]
