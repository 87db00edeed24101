import { type Kysely, sql } from 'kysely'

/** Missing proofs of held domains, claims on domains of other workspaces, and released domains. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table domains add column sending_stopped_at timestamptz',
  // All domains of a name, held or not.
  'create index domains_name on domains (name)',
  `create table missing_proofs (
    domain_id uuid primary key references domains on delete cascade,
    workspace_id uuid not null,
    step text not null check (step in ('noticed', 'warned', 'stopped', 'last-call')),
    since timestamptz not null,
    looked_at timestamptz not null,
    stops_at timestamptz not null,
    releases_at timestamptz not null
  )`,
  'create index missing_proofs_workspace on missing_proofs (workspace_id)',
  `create table domain_claims (
    id uuid primary key,
    domain_id uuid not null references domains on delete cascade,
    workspace_id uuid not null,
    holder_domain_id uuid references domains on delete set null,
    started_at timestamptz not null,
    is_holder_proven boolean not null,
    decides_at timestamptz not null,
    reminded_at timestamptz,
    next_look_at timestamptz not null,
    outcome text check (outcome in ('won', 'withdrawn', 'both-proven', 'lapsed', 'overtaken')),
    ended_at timestamptz
  )`,
  'create unique index domain_claims_open on domain_claims (domain_id) where outcome is null',
  'create index domain_claims_domain on domain_claims (domain_id, started_at desc)',
  'create index domain_claims_holder on domain_claims (holder_domain_id)',
  'create index domain_claims_due on domain_claims (next_look_at) where outcome is null',
  `create table released_domains (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    name text not null,
    reason text not null check (reason in ('proof-missing', 'claimed')),
    mailbox_count integer not null,
    released_at timestamptz not null
  )`,
  'create index released_domains_list on released_domains (workspace_id, released_at desc)',
]
