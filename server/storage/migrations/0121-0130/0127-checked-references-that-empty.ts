import { type Kysely, sql } from 'kysely'
import { checkReferences } from '../0111-0120/check-references.ts'
import { keys } from './0126-references-that-empty.ts'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await checkReferences(db, keys.references)
  await sql`alter table users validate constraint users_mailbox_id_fkey`.execute(db)
}
