import { type Kysely, sql } from 'kysely'

/**
 * That a domain's mail works is said until somebody has read it; domains that work already have had their time. The failure of a
 * test mail is shown on its page alone, and what answered it is kept with the answer.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [
    `alter table domains add works_seen_at timestamptz`,
    `update domains set works_seen_at = greatest(mail_came_at, mail_went_at)
      where mail_came_at is not null and mail_went_at is not null`,
    `alter table outbox_messages add wants_bounce boolean not null default true`,
    `alter table test_mails
      add answer_kind text check (answer_kind in ('answer', 'automatic', 'returned'))`,
    `update test_mails set answer_kind = 'answer' where answered_at is not null`,
  ])
    await sql.raw(statement).execute(db)
}
