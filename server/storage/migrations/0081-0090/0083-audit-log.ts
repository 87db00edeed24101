import { type Kysely, sql } from 'kysely'

/** What was changed in a workspace, by whom and from where (decision 118). Kept for a year. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table audit_log (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    at timestamptz not null,
    user_id uuid,
    name text not null,
    email text not null,
    by_what text not null,
    ip text not null,
    topic text not null,
    action text not null,
    what text not null,
    object text not null,
    object_after text,
    details jsonb not null,
    is_done boolean not null
  ) with (fillfactor = 90)`,
  'create index audit_log_newest on audit_log (workspace_id, at, id)',
  'create index audit_log_topics on audit_log (workspace_id, topic, at, id)',
  'create index audit_log_people on audit_log (workspace_id, email, at, id)',
  // Rows come in the order of time: a few pages tell where those of a year ago end.
  'create index audit_log_at on audit_log using brin (at)',
]
