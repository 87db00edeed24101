import { type Kysely, sql } from 'kysely'

/** API keys (decision 120). A key hangs on the membership of its maker, and ends with it in the same statement. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table api_keys (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    user_id uuid not null references users on delete cascade,
    kind text not null,
    name text not null,
    secret_hash bytea not null unique,
    ending text not null,
    scopes text[] not null,
    domain_ids uuid[],
    mailbox_ids uuid[],
    ips text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    last_used_ip text,
    foreign key (workspace_id, user_id) references members on delete cascade
  )`,
  'create index api_keys_list on api_keys (workspace_id, user_id, created_at)',
]
