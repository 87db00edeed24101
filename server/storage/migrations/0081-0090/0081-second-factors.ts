import { type Kysely, sql } from 'kysely'

/** What proves a person beside the password, and the sign-ins that wait for it (decision 116). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table second_factors (
    user_id uuid primary key references users on delete cascade,
    totp_sealed text,
    totp_since timestamptz,
    totp_last_step integer,
    pending_sealed text,
    pending_at timestamptz,
    changed_at timestamptz not null,
    is_program_told boolean not null default false
  )`,
  `create table passkeys (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    is_synced boolean not null,
    is_backed_up boolean not null,
    rp_id text not null,
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  'create index passkeys_user on passkeys (user_id)',
  `create table recovery_codes (
    user_id uuid not null references users on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,
  `create table trusted_browsers (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null unique,
    ip text not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index trusted_browsers_user on trusted_browsers (user_id)',
  // user_id is null where nobody has said yet who they are: a sign-in by a passkey alone.
  `create table factor_challenges (
    token_hash bytea primary key,
    purpose text not null,
    user_id uuid references users on delete cascade,
    browser_hash bytea,
    sign_in_by text,
    passkey_challenge text not null,
    expires_at timestamptz not null
  )`,
  'create index factor_challenges_user on factor_challenges (user_id)',
  'create index factor_challenges_end on factor_challenges (expires_at)',
  'alter table sessions add confirmed_at timestamptz',
]
