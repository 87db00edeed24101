import { type Kysely, sql } from 'kysely'

/** Senders whose remote pictures a mailbox shows without asking. Deleted with the mailbox. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(statement).execute(db)
}

const statement = `create table picture_senders (
  id uuid primary key,
  workspace_id uuid not null,
  mailbox_id uuid not null references mailboxes on delete cascade,
  address text not null,
  created_at timestamptz not null,
  unique (mailbox_id, address)
)`
