import { type Kysely, sql } from 'kysely'

/**
 * Where the bytes of removed rows were, so that the daily sweep looks at what the day changed (decision 135): a segment or, of a large
 * blob, its file. What was freed before is found by the sweep of the month.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const TABLES = ['messages', 'tombstones', 'outbox_messages', 'uploads', 'mail_import_chunks']

export const narrows = Object.fromEntries(
  TABLES.flatMap((table) =>
    ['freed', 'moved'].map((when) => [
      `the trigger ${table}_${when} of ${table} is new`,
      'It writes to a table that older programs do not know of, and refuses nothing.',
    ]),
  ),
)

const statements = [
  // Nothing is unique: two transactions that free places in one segment would wait for each other.
  `create table freed_blobs (
    id bigint generated always as identity primary key,
    place text not null,
    at timestamptz not null default now()
  )`,
  `create function note_freed_blobs() returns trigger language plpgsql as $$
  begin
    insert into freed_blobs (place)
      select distinct split_part(blob, '.', 1) from removed where blob is not null;
    return null;
  end $$`,
  `create function note_freed_blob() returns trigger language plpgsql as $$
  begin
    insert into freed_blobs (place) values (split_part(old.blob, '.', 1));
    return null;
  end $$`,
  ...TABLES.flatMap((table) => [
    `create trigger ${table}_freed after delete on ${table} referencing old table as removed
      for each statement execute function note_freed_blobs()`,
    `create trigger ${table}_moved after update of blob on ${table} for each row
      when (old.blob is distinct from new.blob and old.blob is not null) execute function note_freed_blob()`,
  ]),
]
