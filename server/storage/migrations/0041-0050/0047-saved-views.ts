import { type Kysely, sql } from 'kysely'

/** A search with filters and a sorting that a member keeps by a name. It ends with their membership. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(statement).execute(db)
}

const statement = `create table saved_views (
  id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  list text not null check (list in ('domains', 'mailboxes')),
  name text not null,
  query text not null,
  created_at timestamptz not null,
  unique (workspace_id, user_id, list, name),
  foreign key (workspace_id, user_id) references members on delete cascade
)`
