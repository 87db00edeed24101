import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Those from before the triggers, while all others read and write. Locked rows cannot go meanwhile, and mail still changes their counts;
 * they are locked in the order of those who delete and move them. Domains, which those lock first, were filled with the triggers.
 */
export const up = async (db: QueryExecutorProvider): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `insert into addresses (email, workspace_id, mailbox_id)
    select email, workspace_id, id from mailboxes order by id for key share on conflict do nothing`,
  `insert into addresses (email, workspace_id)
    select email, workspace_id from aliases order by id for key share on conflict do nothing`,
  `insert into invoice_numbers (series, number, workspace_id)
    select series, number, workspace_id from invoices order by id for key share on conflict do nothing`,
]
