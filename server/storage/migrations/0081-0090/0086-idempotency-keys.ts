import { type Kysely, sql } from 'kysely'

/** Answers to repeated requests, for a day (decision 121). `caller_id` is an API key or a user, and may be gone before the row is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table idempotency_keys (
    workspace_id uuid not null,
    caller_id uuid not null,
    key text not null,
    fingerprint bytea not null,
    created_at timestamptz not null,
    status smallint,
    answer_sealed text,
    primary key (workspace_id, caller_id, key)
  )`,
  'create index idempotency_keys_age on idempotency_keys (created_at)',
]
