import { type Kysely, sql } from 'kysely'

/** The junk score of a message and what was learnt from it; the junk model of a mailbox; the greylist. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table messages
    add column junk jsonb,
    add column learnt_as text check (learnt_as in ('junk', 'good'))`,
  `create table junk_models (
    mailbox_id uuid primary key references mailboxes on delete cascade,
    workspace_id uuid not null,
    counters bytea not null,
    junk_count integer not null,
    good_count integer not null
  )`,
  'create index junk_models_workspace on junk_models (workspace_id)',
  `create table greylist (
    key bytea primary key,
    seen_at timestamptz not null,
    passed_at timestamptz,
    expires_at timestamptz not null
  )`,
  'create index greylist_expiry on greylist (expires_at)',
]
