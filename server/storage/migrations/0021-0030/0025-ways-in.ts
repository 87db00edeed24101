import { type Kysely, sql } from 'kysely'

/**
 * Whose form a verification link carries, and who made the link to a mailbox. Of links that wait already nobody knows:
 * they carry no password, and end with whoever leaves the workspace first.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table mail_links add column browser_hash bytea',
  'alter table access_links add column made_by uuid references users on delete set null',
  'create index access_links_maker on access_links (made_by)',
]
