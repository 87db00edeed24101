import { type Kysely, sql } from 'kysely'

/**
 * Certificates that a directory issued (decision 098). A name is of the installation or of one domain; when that domain has gone, the
 * row stays until its certificate is revoked.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table certificates (
    name text primary key,
    is_own boolean not null,
    workspace_id uuid,
    domain_id uuid references domains on delete set null,
    chain text,
    key_sealed text,
    issued_at timestamptz,
    expires_at timestamptz,
    renew_at timestamptz,
    next_look_at timestamptz not null,
    claimed_until timestamptz,
    asked_at timestamptz,
    failures integer not null default 0,
    trouble text not null default '',
    revocation text,
    created_at timestamptz not null
  )`,
  'create index certificates_due on certificates (next_look_at)',
  'create index certificates_asked on certificates (asked_at) where asked_at is not null',
  'create index certificates_domain on certificates (domain_id)',
  `create table acme_accounts (
    directory_url text primary key,
    key_sealed text not null,
    url text,
    created_at timestamptz not null
  )`,
  `create table acme_answers (
    token text primary key,
    name text not null,
    key_authorization text not null,
    expires_at timestamptz not null
  )`,
  'create index acme_answers_name on acme_answers (name)',
]
