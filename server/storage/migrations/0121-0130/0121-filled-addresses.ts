import { type Kysely, sql } from 'kysely'

/** Those from before the triggers, while all others read and write. Locked rows cannot go meanwhile, and mail still changes their counts. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`set local lock_timeout = '1min'`.execute(db)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `insert into addresses (email, workspace_id, mailbox_id)
    select email, workspace_id, id from mailboxes for key share on conflict do nothing`,
  `insert into addresses (email, workspace_id)
    select email, workspace_id from aliases for key share on conflict do nothing`,
  `insert into verified_domains (name, workspace_id, domain_id)
    select name, workspace_id, id from domains where is_verified for share on conflict do nothing`,
  `insert into invoice_numbers (series, number, workspace_id)
    select series, number, workspace_id from invoices for key share on conflict do nothing`,
]
