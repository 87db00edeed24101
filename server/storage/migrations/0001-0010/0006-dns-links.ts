import { type Kysely, sql } from 'kysely'

/** Links for the administrator of a domain's DNS. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table dns_links (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    domain_id uuid not null references domains on delete cascade,
    token_hash bytea not null unique,
    created_by uuid references users on delete set null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    opened_at timestamptz,
    sent_to text
  )`,
  'create index dns_links_domain on dns_links (domain_id)',
  'create index dns_links_workspace on dns_links (workspace_id)',
  'create index dns_links_maker on dns_links (created_by)',
  'create index dns_links_expiry on dns_links (expires_at)',
]
