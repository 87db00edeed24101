import { type Kysely, sql } from 'kysely'

/** Alerts for operators, and how much mail is refused (decision 107). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table alerts (
    name text primary key,
    since timestamptz not null,
    held_at timestamptz not null,
    sentence text not null,
    begun_at timestamptz,
    ended_at timestamptz,
    tellings jsonb not null
  )`,
  `create table refused_mails (
    slot timestamptz not null,
    why text not null,
    refusals bigint not null,
    primary key (slot, why)
  )`,
]
