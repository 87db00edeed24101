import { type Kysely, sql } from 'kysely'

/** Backups that were made, or tried (decision 108). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table backups (
    id uuid primary key,
    place text not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    snapshot text,
    rows bigint not null default 0,
    blobs bigint not null default 0,
    missing bigint not null default 0,
    written_bytes bigint not null default 0,
    error text not null default ''
  )`,
  'create index backups_started on backups (started_at desc)',
]
