import { type Kysely, sql } from 'kysely'

/** Where a holder can be told that their mailbox is suspended, and who is to be told. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table users add column private_email text',
  `alter table users add column is_status_untold boolean not null default false`,
  `alter table users add column is_told_suspended boolean not null default false`,
  'create index users_untold on users (id) where is_status_untold',
]
