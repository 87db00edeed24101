import { type Kysely, sql } from 'kysely'

/** A right to read may end on a day, and does not always include sending as the mailbox. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table mailbox_readers add column ends_at timestamptz',
  'alter table mailbox_readers add column can_send boolean not null default true',
  'create index mailbox_readers_ends on mailbox_readers (ends_at) where ends_at is not null',
]
