import { type Kysely, sql } from 'kysely'

/** The DNS of a domain at its last check. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table domain_settings (
    domain_id uuid primary key references domains on delete cascade,
    workspace_id uuid not null,
    zone text,
    name_servers jsonb not null,
    mx jsonb,
    spf jsonb,
    our_spf jsonb not null,
    dmarc jsonb,
    checked_at timestamptz not null
  )`,
  'create index domain_settings_workspace on domain_settings (workspace_id)',
]
