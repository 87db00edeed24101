import { type Kysely, sql } from 'kysely'

/**
 * The structures of mail that came by SMTP were read before our own fields were put in front, so that all places in them were wrong.
 * A loop of the worker, or whoever asks first, reads them again.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`truncate message_structures, structure_filling`.execute(db)
  await sql`insert into structure_filling
    select 'ffffffff-ffff-ffff-ffff-ffffffffffff' where exists (select from messages)`.execute(db)
}
