import { type Kysely, sql } from 'kysely'

/**
 * The browser that filled in the form of a verification link, and the member who made a mailbox link. Both are unknown for
 * existing links: those carry no password, and end when any member leaves the workspace.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table mail_links add column browser_hash bytea',
  'alter table access_links add column made_by uuid references users on delete set null',
  'create index access_links_maker on access_links (made_by)',
]
