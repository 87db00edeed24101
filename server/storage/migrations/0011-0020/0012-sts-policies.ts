import { type Kysely, sql } from 'kysely'

/** MTA-STS policies of recipient domains (RFC 8461). They belong to no tenant: they are public. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(statement).execute(db)
}

const statement = `create table sts_policies (
  domain text primary key,
  policy_id text,
  mode text check (mode in ('enforce', 'testing', 'none')),
  mx jsonb not null default '[]',
  expires_at timestamptz,
  tried_id text not null,
  tried_at timestamptz not null
)`
