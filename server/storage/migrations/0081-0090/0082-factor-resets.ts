import { type Kysely, sql } from 'kysely'

/** A person whose second factors were reset is told by a loop: the operator's terminal mails nothing (decision 116). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw('alter table second_factors add is_reset_untold boolean not null default false')
    .execute(db)
  await sql
    .raw('create index second_factors_untold on second_factors (user_id) where is_reset_untold')
    .execute(db)
}
