import { type Kysely, sql } from 'kysely'

/** Archives of whole workspaces, and mails about what operators did to one (decision 112). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table workspace_exports (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    user_id uuid references users on delete set null,
    asked_by text not null,
    created_at timestamptz not null,
    state text not null,
    messages integer not null,
    written integer not null default 0,
    size_bytes bigint not null default 0,
    reason text not null default '',
    tries integer not null default 0,
    claimed_until timestamptz,
    ended_at timestamptz,
    expires_at timestamptz,
    token_hash bytea unique,
    token_expires_at timestamptz
  )`,
  `create unique index workspace_exports_open on workspace_exports (workspace_id) where state in ('waiting', 'running')`,
  'create index workspace_exports_workspace on workspace_exports (workspace_id)',
  `create table operator_receipts (
    id uuid primary key,
    at timestamptz not null,
    subject text not null,
    lines text[] not null,
    recipients text[] not null,
    is_mailed boolean not null default false
  )`,
  'create index operator_receipts_unmailed on operator_receipts (at) where not is_mailed',
]
