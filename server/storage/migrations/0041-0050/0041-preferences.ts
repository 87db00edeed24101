import { type Kysely, sql } from 'kysely'

/** How dates are written for a person, and whether an Admin wants mails about DNS. No row: nothing was chosen. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw(`create table preferences (
      user_id uuid primary key references users on delete cascade,
      time_zone text not null,
      time_format text not null,
      date_format text not null,
      wants_dns_mails boolean not null,
      updated_at timestamptz not null
    )`)
    .execute(db)
}
