import { type Kysely, sql } from 'kysely'

/** A delivery is claimed by the number of a worker, which holds a lock on that number as long as it lives. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'create sequence claimers as integer cycle',
  "update deliveries set status = 'queued' where status = 'sending'",
  'alter table deliveries drop column claimed_until',
  'alter table deliveries alter column claimed_by type integer using null',
  "create index deliveries_claimed on deliveries (claimed_by) where status = 'sending'",
]
