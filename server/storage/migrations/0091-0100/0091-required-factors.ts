import { type Kysely, sql } from 'kysely'

/** Who requires a second factor: workspaces of their people, and with workspace_id null the operator of everybody (decision 126). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table required_factors (
    id uuid primary key,
    workspace_id uuid unique references workspaces on delete cascade,
    required_at timestamptz not null,
    grace_days integer not null check (grace_days between 0 and 30),
    is_told boolean not null default false,
    told_until uuid
  )`,
  'create unique index required_factors_everywhere on required_factors ((true)) where workspace_id is null',
  'create index required_factors_untold on required_factors (id) where not is_told',
]
