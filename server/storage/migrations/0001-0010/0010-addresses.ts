import { type Kysely, sql } from 'kysely'

/** Aliases, and the catch-all mailbox of a domain. Both are deleted with their mailbox and with their domain. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table aliases (
    id uuid primary key,
    workspace_id uuid not null,
    domain_id uuid not null references domains on delete cascade,
    mailbox_id uuid not null references mailboxes on delete cascade,
    email text not null unique,
    created_at timestamptz not null
  )`,
  'create index aliases_mailbox on aliases (mailbox_id, created_at, id)',
  'create index aliases_domain on aliases (domain_id)',
  `create table catch_alls (
    domain_id uuid primary key references domains on delete cascade,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade
  )`,
  'create index catch_alls_mailbox on catch_alls (mailbox_id)',
]
