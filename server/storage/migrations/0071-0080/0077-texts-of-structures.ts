import { type Kysely, sql } from 'kysely'

/**
 * ENVELOPE and BODYSTRUCTURE as they are sent, beside the structure that they tell (decision 090). A loop of the worker writes those
 * of the mail that is there.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table message_structures add envelope text, add body_structure text`.execute(db)
  await sql`truncate structure_filling`.execute(db)
  await sql`insert into structure_filling
    select 'ffffffff-ffff-ffff-ffff-ffffffffffff' where exists (select from messages)`.execute(db)
}
