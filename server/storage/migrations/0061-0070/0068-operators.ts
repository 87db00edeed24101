import { type Kysely, sql } from 'kysely'

/**
 * Operators, and what they did (decision 104). An action stays when its workspace or its operator has gone, so it has no foreign key.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table operators (
    user_id uuid primary key references users on delete cascade,
    made_by text not null,
    made_at timestamptz not null
  )`,
  `create table operator_links (
    token_hash bytea primary key,
    expires_at timestamptz not null
  )`,
  `create table operator_actions (
    id uuid primary key,
    at timestamptz not null,
    operator text not null,
    verb text not null,
    workspace_id uuid,
    subject text not null,
    detail text not null
  )`,
  'create index operator_actions_at on operator_actions (at desc, id desc)',
  `create index operator_actions_workspace on operator_actions (workspace_id, at desc, id desc)
    where workspace_id is not null`,
  'alter table workspaces add suspended_at timestamptz',
  "alter table workspaces add suspended_for text not null default ''",
  'alter table deliveries add held_at timestamptz',
  // What is held back is passed over, however much it is.
  `create index deliveries_claimable on deliveries (next_attempt_at)
    where status = 'queued' and held_at is null`,
]
