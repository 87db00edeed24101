import { type Kysely, sql } from 'kysely'

/** Settings of a mailbox holder: the name in From, the vacation reply, and the export and import of mbox files. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  "alter table mailboxes add column display_name text not null default ''",
  `create table vacation_replies (
    mailbox_id uuid primary key references mailboxes on delete cascade,
    workspace_id uuid not null,
    is_on boolean not null,
    first_day text not null,
    last_day text not null,
    time_zone text not null,
    starts_at timestamptz not null,
    ends_at timestamptz,
    subject text not null,
    text text not null,
    period_id uuid not null,
    answered integer not null
  )`,
  `create table vacation_dues (
    message_id uuid primary key references messages on delete cascade,
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null
  )`,
  'create index vacation_dues_mailbox on vacation_dues (mailbox_id)',
  `create table vacation_answers (
    mailbox_id uuid not null references mailboxes on delete cascade,
    address text not null,
    workspace_id uuid not null,
    period_id uuid not null,
    answered_at timestamptz not null,
    primary key (mailbox_id, address)
  )`,
  'create index vacation_answers_age on vacation_answers (answered_at)',
  `create table mail_exports (
    id uuid primary key,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    user_id uuid not null,
    folder_id uuid references folders on delete cascade,
    token_hash bytea not null unique,
    total integer not null,
    written integer not null default 0,
    state text not null check (state in ('ready', 'running', 'done', 'failed')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index mail_exports_mailbox on mail_exports (mailbox_id, created_at desc)',
  `create table mail_imports (
    id uuid primary key,
    workspace_id uuid not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    filename text not null,
    fingerprint text not null,
    folder_id uuid references folders on delete set null,
    size_bytes bigint not null,
    received_bytes bigint not null default 0,
    read_bytes bigint not null default 0,
    filed integer not null default 0,
    skipped integer not null default 0,
    failed integer not null default 0,
    state text not null check (state in ('uploading', 'running', 'done', 'stopped', 'cancelled')),
    reason text not null default '',
    created_at timestamptz not null,
    touched_at timestamptz not null,
    claimed_until timestamptz
  )`,
  'create index mail_imports_mailbox on mail_imports (mailbox_id, created_at desc)',
  "create unique index mail_imports_open on mail_imports (mailbox_id) where state in ('uploading', 'running', 'stopped')",
  `create table mail_import_chunks (
    import_id uuid not null references mail_imports on delete cascade,
    start_byte bigint not null,
    size_bytes bigint not null,
    blob text not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    primary key (import_id, start_byte)
  )`,
  'create index mail_import_chunks_blob on mail_import_chunks (blob)',
  'create index mail_import_chunks_mailbox on mail_import_chunks (mailbox_id)',
  `create table mail_import_faults (
    import_id uuid not null references mail_imports on delete cascade,
    start_byte bigint not null,
    n integer not null,
    subject text not null,
    reason text not null,
    mailbox_id uuid not null references mailboxes on delete cascade,
    workspace_id uuid not null,
    primary key (import_id, start_byte)
  )`,
  'create index mail_import_faults_mailbox on mail_import_faults (mailbox_id)',
]
