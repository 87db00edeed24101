import { type Kysely, sql } from 'kysely'

/**
 * Access to mailboxes: a holder is a user bound to one mailbox and deleted with it; the origin of each right to read; links that
 * set the holder's password; and an access log that outlives the mailbox.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table users add mailbox_id uuid unique references mailboxes on delete cascade',
  `alter table mailbox_readers add origin text not null default 'made'
    check (origin in ('made', 'given', 'taken', 'holder'))`,
  `create table access_links (
    token_hash bytea primary key,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    mailed_to text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    outcome text check (outcome in ('used', 'withdrawn'))
  )`,
  'create index access_links_mailbox on access_links (mailbox_id)',
  'create unique index access_links_open on access_links (mailbox_id) where ended_at is null',
  'create index access_links_expiry on access_links (expires_at)',
  `create table access_entries (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    mailbox_id uuid references mailboxes on delete set null,
    mailbox_email text not null,
    kind text not null,
    actor text not null,
    subject text not null,
    reason text not null,
    at timestamptz not null
  )`,
  'create index access_entries_mailbox on access_entries (mailbox_id, at desc, id desc)',
  'create index access_entries_workspace on access_entries (workspace_id, at desc, id desc)',
]
