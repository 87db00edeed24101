import { type Kysely, sql } from 'kysely'

/** How many mailboxes one domain may have; null: as many as the installation allows (decision 083). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw('alter table domains add column mailbox_limit integer check (mailbox_limit > 0)')
    .execute(db)
}
