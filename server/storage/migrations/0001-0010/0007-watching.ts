import { type Kysely, sql } from 'kysely'

/** Watched domains: watchers, claims of checks, consecutive failures of a record, and the history of changes. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table domains
    add column watched_at timestamptz,
    add column check_claimed_until timestamptz`,
  `alter table domain_records
    add column verified_at timestamptz,
    add column unanswered_since timestamptz,
    add column failures integer not null default 0,
    add column failed_at timestamptz,
    add column alerted_at timestamptz`,
  `update domain_records set verified_at = coalesce(checked_at, changed_at)
    where state = 'verified'`,
  `create index domain_records_alerts on domain_records (workspace_id)
    where failures > 0 or alerted_at is not null`,
  `create table domain_record_changes (
    id uuid primary key,
    domain_id uuid not null references domains on delete cascade,
    workspace_id uuid not null,
    purpose text not null,
    at timestamptz not null,
    from_state text not null,
    from_values jsonb not null,
    to_state text not null,
    to_values jsonb not null
  )`,
  'create index domain_record_changes_list on domain_record_changes (domain_id, at desc, id desc)',
  `create table domain_alerts (
    workspace_id uuid primary key references workspaces on delete cascade,
    mailed_at timestamptz not null
  )`,
]
