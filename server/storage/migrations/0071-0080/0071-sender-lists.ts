import { type Kysely, sql } from 'kysely'

/** Senders and networks that operators block or allow (decision 109). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table listed_senders (
    id uuid primary key,
    kind text not null,
    value text not null,
    action text not null,
    note text not null,
    ends_at timestamptz,
    made_by text not null,
    made_at timestamptz not null,
    unique (kind, value)
  )`,
]
