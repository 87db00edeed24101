import { type Kysely, sql } from 'kysely'

/** The lists that a mailbox left in one click. Deleted with the mailbox. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(statement).execute(db)
}

const statement = `create table unsubscriptions (
  id uuid primary key,
  workspace_id uuid not null,
  mailbox_id uuid not null references mailboxes on delete cascade,
  list text not null,
  created_at timestamptz not null,
  unique (mailbox_id, list)
)`
