import { type Kysely, sql } from 'kysely'

/** An index for each order of the lists of operators that is not counted (decision 111), and which alerts there were. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table alert_news (
    id uuid primary key,
    name text not null,
    news text not null,
    at timestamptz not null,
    sentence text not null
  )`,
  'create index alert_news_at on alert_news (at desc, id desc)',
  'create index workspaces_created on workspaces (created_at, id) where ended_at is null',
  'create index workspaces_named on workspaces (left(lower(name), 60), id) where ended_at is null',
  'create index users_created on users (created_at, id)',
  "create index users_named on users (left(lower(first_name || ' ' || last_name), 60), id)",
  "create index users_seen on users (coalesce(last_login_at, 'epoch'), id)",
  'create index mailboxes_created on mailboxes (created_at, id)',
  'create index invoices_created on invoices (created_at, id)',
  'create index invoices_by_status on invoices (status, created_at, id)',
]
