import { type Kysely, sql } from 'kysely'

/**
 * App passwords of mail programs, and where they were used (decision 096). Both hang on the right to read the mailbox, and end with
 * it in the same statement: a right that is given again opens nothing that was made before.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app_passwords (
    id uuid primary key,
    workspace_id uuid not null,
    mailbox_id uuid not null,
    user_id uuid not null,
    name text not null,
    secret_hash bytea not null unique,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    foreign key (mailbox_id, user_id) references mailbox_readers on delete cascade
  )`,
  'create index app_passwords_list on app_passwords (mailbox_id, user_id, created_at)',
  // app_password_id is null where the holder's own password was used.
  `create table program_uses (
    workspace_id uuid not null,
    mailbox_id uuid not null,
    user_id uuid not null,
    app_password_id uuid references app_passwords on delete cascade,
    network text not null,
    ip text not null,
    scope text not null,
    program text not null default '',
    first_at timestamptz not null,
    last_at timestamptz not null,
    is_untold boolean not null,
    foreign key (mailbox_id, user_id) references mailbox_readers on delete cascade
  )`,
  `create unique index program_uses_one
    on program_uses (mailbox_id, user_id, coalesce(app_password_id, user_id), network)`,
  'create index program_uses_password on program_uses (app_password_id)',
  'create index program_uses_untold on program_uses (first_at) where is_untold',
  'alter table users add app_passwords_from timestamptz',
]
