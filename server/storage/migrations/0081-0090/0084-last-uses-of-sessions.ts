import { type Kysely, sql } from 'kysely'

/**
 * When and from where a session was last used (decision 119), the end of an account that its owner leaves, and whether mail programs
 * of a workspace need app passwords.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table sessions add column last_used_at timestamptz, add column last_ip text',
  // Nobody knows when those from before were used: without this, people would be signed out who come every day.
  'update sessions set last_used_at = now() where ended_at is null and expires_at > now()',
  'alter table users add column ends_at timestamptz',
  'create index users_ending on users (ends_at) where ends_at is not null',
  'alter table workspaces add column needs_app_passwords boolean not null default false',
]
