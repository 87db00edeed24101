import { type Kysely, sql } from 'kysely'
import { checkReferences } from '../0111-0120/check-references.ts'
import { keys } from './0126-references-that-empty.ts'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await checkReferences(db, keys.references)
  await sql`
    do $$ begin
      alter table users validate constraint users_mailbox_id_fkey;
    exception when foreign_key_violation then
      raise warning 'a person refers to a mailbox without an address: %', sqlerrm;
    when undefined_object then
      -- A workspace that is being restored from a backup has no references.
      null;
    end $$`.execute(db)
}
